#include "io/hdf5/transfer.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "framework/grid/error.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

constexpr Index largest_cache = Index{256} << 20;
// upper bound of the number of cached chunks, because each chunk needs memory in addition to its
// points
constexpr Index most_cached = Index{1} << 17;

}  // namespace

Handle select(hid_t dataset, const Piece& piece, const std::string& where) {
  Handle space = owned(H5Dget_space(dataset), H5Sclose, where + ": cannot read its shape");
  if (piece.count.empty()) {
    H5Sselect_none(space);
    return space;
  }
  const std::vector<hsize_t> start(piece.start.begin(), piece.start.end());
  const std::vector<hsize_t> count(piece.count.begin(), piece.count.end());
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          where + ": cannot select a part");
  return space;
}

Handle points_in_a_row(Index points, const std::string& where) {
  const hsize_t extent = static_cast<hsize_t>(std::max<Index>(points, 1));
  Handle space = owned(H5Screate_simple(1, &extent, nullptr), H5Sclose, where);
  if (points == 0) H5Sselect_none(space);
  return space;
}

ChunkCache cache_for(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                     Index element_bytes) {
  if (chunk.empty()) return {};
  const Index chunk_bytes = checked_multiply(element_bytes, points_of(chunk));
  Index chunks = 1;
  for (std::size_t axis = 1; axis < chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (dims[axis] - 1) / chunk[axis] + 1);
  chunks = std::clamp<Index>(largest_cache / chunk_bytes, 1, std::min(chunks, most_cached));
  // there are many more slots than chunks, because a collision evicts a chunk
  return {std::max(chunk_bytes * chunks, Index{1} << 20), 10 * chunks + 1009, chunks};
}

Handle access_with_cache(const std::vector<Index>& dims, const std::vector<Index>& chunk,
                         Index element_bytes) {
  Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (chunk.empty()) return access;
  const ChunkCache cache = cache_for(dims, chunk, element_bytes);
  H5Pset_chunk_cache(access, static_cast<std::size_t>(cache.slots),
                     static_cast<std::size_t>(cache.bytes), 1.0);
  return access;
}

void read_piece(hid_t dataset, hid_t type, const Piece& piece, void* memory,
                const std::string& where) {
  const Handle file = select(dataset, piece, where);
  // the memory dataspace has the shape of the piece: if the shapes differ, HDF5 1.10 copies single
  // elements
  const std::vector<hsize_t> count(piece.count.begin(), piece.count.end());
  const Handle own =
      count.empty() ? points_in_a_row(0, where)
                    : owned(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr),
                            H5Sclose, where);
  if (H5Dread(dataset, type, own, file, H5P_DEFAULT, memory) >= 0) return;
  const std::string reason = hdf5_reason();
  const int error = hdf5_system_error();
  throw StorageError(fmt::format(
      "cannot read {}: {}: {}", where, reason,
      error != 0 ? remedy_of(error) : "it may be damaged, copy it again from its source"));
}

}  // namespace stencil::storage
