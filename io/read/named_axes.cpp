#include "io/read/named_axes.hpp"

#include "framework/grid/one_line.hpp"
#include "io/hdf5/scales.hpp"

namespace stencil::storage {
namespace {

bool holds_text(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  return type && H5Tdetect_class(type, H5T_STRING) > 0;
}

}  // namespace

void find_axis_names(const DatasetPath& path, DatasetFacts& facts) {
  facts.axis_names.assign(facts.dims.size(), "");
  facts.text_scale.assign(facts.dims.size(), "");
  for (std::size_t axis = 0; axis < facts.dims.size(); ++axis) {
    std::string& name = facts.axis_names[axis];
    name = one_line(label_of(path.dataset, static_cast<int>(axis)));
    for (const Scale& scale : scales_of(path.dataset, static_cast<int>(axis))) {
      if (name.empty()) name = scale.path.substr(scale.path.rfind('/') + 1);
      if (scale.dataset && facts.text_scale[axis].empty() && holds_text(scale.dataset))
        facts.text_scale[axis] = scale.path;
    }
  }
}

}  // namespace stencil::storage
