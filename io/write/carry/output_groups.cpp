#include "io/write/carry/output_groups.hpp"

#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {

void keep_simple(hid_t creation) {
  constexpr unsigned most_in_header = 128;
  H5Pset_obj_track_times(creation, false);
  H5Pset_attr_phase_change(creation, most_in_header, 0);
}

Handle make_group(hid_t parent, const std::string& name, const std::string& what) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  keep_simple(creation);
  // netCDF requires the order of creation
  H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return owned(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose,
               what);
}

std::vector<Handle> groups_along(hid_t file, const std::vector<std::string>& names,
                                 const std::string& what) {
  std::vector<Handle> groups;
  groups.push_back(owned(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose, what));
  for (const std::string& name : names)
    groups.push_back(has_link(groups.back(), name)
                         ? owned(H5Gopen2(groups.back(), name.c_str(), H5P_DEFAULT), H5Gclose, what)
                         : make_group(groups.back(), name, what));
  return groups;
}

}  // namespace stencil::storage
