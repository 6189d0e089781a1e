#include "io/write/carry/copied_whole.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "io/hdf5/chunks.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/output_groups.hpp"

namespace stencil::storage {
namespace {

std::string copying(const std::string& path) {
  return "cannot copy " + one_line(path);
}

/// Returns the type of the input's dataset for use in the output: if it is a stored (committed)
/// type, its copy in the output, otherwise a transient copy.
Handle type_in_output(hid_t from, hid_t output, const CopiedPaths& copies,
                      const std::string& what) {
  const Handle stored = owned(H5Dget_type(from), H5Tclose, what);
  if (H5Tcommitted(stored) > 0) {
    H5O_info_t info{};
    checked(H5Oget_info2(stored, &info, H5O_INFO_BASIC), what);
    if (const auto copy = copies.find(info.addr); copy != copies.end())
      return owned(H5Topen2(output, copy->second.c_str(), H5P_DEFAULT), H5Tclose, what);
  }
  return owned(H5Tcopy(stored), H5Tclose, what);
}

/// Calls `copy` with the first point of each chunk that was written.
void for_each_chunk(hid_t from, const ChunkLayout& layout, const std::string& what,
                    const std::function<void(const hsize_t*)>& copy) {
  // The loop is over the written chunks only if they are few, because finding a written chunk by
  // its number is slow.
  constexpr Index few = 16;
  const Index written = chunks_on_record(from, what), all = layout.count();
  std::vector<hsize_t> first(layout.dims.size());
  if (all / few > written) {
    const Handle space = owned(H5Dget_space(from), H5Sclose, what);
    for (Index n = 0; n < written; ++n) {
      if (!succeeded(H5Dget_chunk_info(from, space, static_cast<hsize_t>(n), first.data(), nullptr,
                                       nullptr, nullptr),
                     from, "cannot look up a chunk"))
        throw Unreadable(what);
      copy(first.data());
    }
    return;
  }
  for (Index n = 0; n < all; ++n) {
    const Index bytes = bytes_on_record(from, layout, n);
    if (bytes < 0) throw StorageError(fmt::format("{}: {}", what, hdf5_reason()));
    if (bytes == 0) continue;
    const std::vector<Index> start = layout.piece(n).start;
    std::copy(start.begin(), start.end(), first.begin());
    copy(first.data());
  }
}

void copy_chunks(hid_t from, hid_t to, const std::string& what) {
  const ChunkLayout layout = chunk_layout_of(from, what);
  const auto most = static_cast<hsize_t>(2 * layout.chunk_bytes() + (1 << 20));
  std::vector<std::byte> packed;
  for_each_chunk(from, layout, what, [&](const hsize_t* first) {
    hsize_t bytes = 0;
    unsigned mask = 0;
    const bool is_found = succeeded(H5Dget_chunk_storage_size(from, first, &bytes), from, what);
    if (!is_found || bytes > most) throw Unreadable(what);
    packed.resize(bytes);
    if (!succeeded(H5Dread_chunk(from, H5P_DEFAULT, first, &mask, packed.data()), from, what))
      throw Unreadable(what);
    checked(H5Dwrite_chunk(to, H5P_DEFAULT, mask, first, packed.size(), packed.data()), what);
  });
}

bool is_of_pointers(hid_t type) {
  return H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0;
}

/// Copies a dataset with filters that this HDF5 does not have; only H5Ocopy() can do that.
void copy_unknown(hid_t from, hid_t output, const std::string& path) {
  const std::string what = copying(path);
  const Handle copy = owned(H5Pcreate(H5P_OBJECT_COPY), H5Pclose, what);
  checked(H5Pset_copy_object(copy, H5O_COPY_WITHOUT_ATTR_FLAG), what);
  checked(H5Ocopy(from, ".", output, path.c_str(), copy, H5P_DEFAULT), what);
}

}  // namespace

void copy_whole(hid_t from, hid_t output, const std::string& path, const CopiedPaths& copies) {
  const std::string what = copying(path);
  const Handle type = type_in_output(from, output, copies, what),
               space = owned(H5Dget_space(from), H5Sclose, what),
               creation = owned(H5Dget_create_plist(from), H5Pclose, what);
  keep_simple(creation);
  const Handle made(
      H5Dcreate2(output, path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
  if (!made) return copy_unknown(from, output, path);
  if (H5Sget_simple_extent_npoints(space) <= 0 || is_unwritten(from)) return;
  if (H5Pget_layout(creation) == H5D_CHUNKED && !is_of_pointers(type))
    return copy_chunks(from, made, what);
  std::vector<AxisSampling> all;
  for (const Index extent : dataset_extents(from))
    all.push_back({.extent = extent, .count = extent});
  copy_sampled(from, made, all, what);
}

void copy_type(hid_t from, hid_t output, const std::string& path) {
  const std::string what = copying(path);
  const Handle type = owned(H5Tcopy(from), H5Tclose, what),
               creation = owned(H5Pcreate(H5P_DATATYPE_CREATE), H5Pclose, what);
  keep_simple(creation);
  checked(H5Tcommit2(output, path.c_str(), type, H5P_DEFAULT, creation, H5P_DEFAULT), what);
}

}  // namespace stencil::storage
