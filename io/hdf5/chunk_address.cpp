#include "io/hdf5/chunk_address.hpp"

#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

haddr_t as_hdf5_says(hid_t dataset, const hsize_t* first, const std::string& what) {
  haddr_t address = HADDR_UNDEF;
  checked(H5Dget_chunk_info_by_coord(dataset, first, nullptr, &address, nullptr), what);
  return address;
}

Handle make_dataset(hid_t file, const char* name, bool is_chunked, const std::string& what) {
  constexpr hsize_t count = 8;
  const Handle creation = owned(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  checked(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY), what);
  if (is_chunked) checked(H5Pset_chunk(creation, 1, &count), what);
  const Handle space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  return owned(H5Dcreate2(file, name, H5T_NATIVE_UCHAR, space, H5P_DEFAULT, creation, H5P_DEFAULT),
               H5Dclose, what);
}

/// Creates a file in memory with a user block of the given size. Returns the distance between a
/// chunk and a dataset without chunks, according to the addresses that HDF5 returns.
hsize_t distance_in_file(hsize_t user_block) {
  const std::string what = "cannot make an HDF5 file in memory";
  const Handle creation = owned(H5Pcreate(H5P_FILE_CREATE), H5Pclose, what),
               access = owned(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  checked(H5Pset_userblock(creation, user_block), what);
  checked(H5Pset_fapl_core(access, 1 << 16, false), what);
  const Handle file =
      owned(H5Fcreate("stencil_chunk_address", H5F_ACC_TRUNC, creation, access), H5Fclose, what);
  const Handle chunked = make_dataset(file, "chunked", true, what),
               contiguous = make_dataset(file, "contiguous", false, what);
  constexpr hsize_t first = 0;
  return H5Dget_offset(contiguous) - as_hdf5_says(chunked, &first, what);
}

}  // namespace

haddr_t chunk_address(hid_t dataset, const hsize_t* first, const std::string& what) {
  const haddr_t address = as_hdf5_says(dataset, first, what);
  const Handle file = owned(H5Iget_file_id(dataset), H5Fclose, what);
  const Handle creation = owned(H5Fget_create_plist(file), H5Pclose, what);
  hsize_t before = 0;
  checked(H5Pget_userblock(creation, &before), what);
  if (address == HADDR_UNDEF || before == 0) return address;
  // H5Dget_offset() returns the address of the dataset without chunks, including the user block in
  // all versions
  constexpr hsize_t some = 512;
  static const bool leaves_out = distance_in_file(some) != distance_in_file(0);
  return leaves_out ? address + before : address;
}

}  // namespace stencil::storage
