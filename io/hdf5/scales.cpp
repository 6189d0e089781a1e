#include "io/hdf5/scales.hpp"

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/file_walk.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

/// The references that the attribute DIMENSION_LIST contains for one axis.
class AxisReferences {
 public:
  AxisReferences(hid_t dataset, int axis) {
    attribute_ = Handle(H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT), H5Aclose);
    if (!succeeded(attribute_ ? 0 : -1, dataset, "cannot open its dimension scales")) return;
    space_ = Handle(H5Aget_space(attribute_), H5Sclose);
    if (!is_sound(attribute_, "DIMENSION_LIST", attribute_room(dataset))) return;
    const Handle type(H5Aget_type(attribute_), H5Tclose);
    const Handle base(H5Tget_class(type) == H5T_VLEN ? H5Tget_super(type) : -1, H5Tclose);
    const hssize_t axes = H5Sget_simple_extent_npoints(space_);
    if (!base || H5Tequal(base, H5T_STD_REF_OBJ) <= 0 || axes <= axis || axes > H5S_MAX_RANK)
      return;
    type_ = Handle(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
    lists_.resize(static_cast<std::size_t>(axes));
    is_read_ = read_attribute(attribute_, type_, lists_.data());
    if (is_read_) here_ = lists_[static_cast<std::size_t>(axis)];
  }
  ~AxisReferences() {
    if (is_read_) H5Dvlen_reclaim(type_, space_, H5P_DEFAULT, lists_.data());
  }
  AxisReferences(const AxisReferences&) = delete;
  AxisReferences& operator=(const AxisReferences&) = delete;

  bool is_read() const { return is_read_; }
  std::size_t size() const { return here_.p ? here_.len : 0; }
  const hobj_ref_t& operator[](std::size_t i) const {
    return static_cast<const hobj_ref_t*>(here_.p)[i];
  }

 private:
  Handle attribute_, space_, type_;
  std::vector<hvl_t> lists_;
  hvl_t here_{};
  bool is_read_ = false;
};

}  // namespace

std::string label_of(hid_t dataset, int axis) {
  const std::vector<std::string> labels = attribute_texts(dataset, "DIMENSION_LABELS");
  const auto at = static_cast<std::size_t>(axis);
  return at < labels.size() ? labels[at] : "";
}

// HDF5's functions for scales are not used, for two reasons: they iterate over all attributes of a
// dataset, some of them at every call; and if the file cannot be read, they report that there is no
// scale.
std::vector<Scale> scales_of(hid_t dataset, int axis) {
  std::vector<Scale> scales;
  if (!has_attribute(dataset, "DIMENSION_LIST")) return scales;
  const AxisReferences references(dataset, axis);
  if (!references.is_read()) scales.emplace_back();
  for (std::size_t i = 0; i < references.size(); ++i) {
    Scale scale;
    scale.dataset =
        Handle(H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, &references[i]), H5Oclose);
    succeeded(scale.dataset ? 0 : -1, dataset, "cannot open a dimension scale");
    if (scale.dataset && H5Iget_type(scale.dataset) != H5I_DATASET) scale.dataset = Handle();
    if (scale.dataset) scale.path = one_line(path_of(scale.dataset, object_name(dataset)));
    scales.push_back(std::move(scale));
  }
  return scales;
}

}  // namespace stencil::storage
