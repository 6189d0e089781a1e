#include "io/write/carry/room_of_rest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "io/hdf5/file_walk.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/followed_axes.hpp"
#include "io/write/carry/other_views.hpp"

namespace stencil::storage {
namespace {

double bytes_of(hid_t dataset, const Fate& fate) {
  auto bytes = static_cast<double>(H5Dget_storage_size(dataset));
  for (const Followed& dim : fate.dims)
    if (dim.axis && dim.extent > 0)
      bytes *= static_cast<double>(dim.sampling.count) / static_cast<double>(dim.extent);
  return bytes;
}

}  // namespace

Index room_of_rest(const DatasetPath& input, const OutputSpec& spec) {
  const hid_t root = input.groups.front();
  const std::string data = fmt::format("/{}", fmt::join(input.names, "/"));
  const FollowedAxes axes(input, spec);
  std::set<haddr_t> counted{address_of_object(input.dataset)};
  double bytes = 0;
  walk_file(root, [&](const MetObject& met) {
    const std::string path = met.path();
    if (met.type != H5O_TYPE_DATASET || !is_false_beside(path, data).empty() ||
        !counted.insert(met.address).second)
      return true;
    try {
      const Handle dataset(H5Oopen(root, path.c_str(), H5P_DEFAULT), H5Oclose);
      const Fate fate = dataset ? axes.fate_of(dataset) : Fate{"which cannot be opened"};
      if (fate.why_not.empty()) bytes += bytes_of(dataset, fate);
    } catch (const Unreadable&) {  // an unreadable dataset is not copied to the output either
    }
    return true;
  });
  return static_cast<Index>(bytes);
}

}  // namespace stencil::storage
