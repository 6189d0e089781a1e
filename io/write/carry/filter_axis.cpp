#include "io/write/carry/filter_axis.hpp"

#include <hdf5_hl.h>

#include <string>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"

namespace stencil::storage {

void make_filters(hid_t group, hid_t dataset, const OutputSpec& spec) {
  constexpr const char* what = "cannot write the numbers of the filters";
  std::string name = "filter";
  while (has_link(group, name)) name += "_of_bank";
  const auto count = static_cast<hsize_t>(spec.filter_count());
  const Handle space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  const Handle filters = owned(
      H5Dcreate2(group, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT),
      H5Dclose, what);
  checked(
      H5Dwrite(filters, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, spec.filters->rows.data()),
      what);
  write_attribute(filters, "long_name", "row of the bank of filters");
  checked(H5DSset_scale(filters, name.c_str()), what);
  checked(H5DSattach_scale(dataset, filters, 0), what);
}

}  // namespace stencil::storage
