#include "io/write/blocks/writing_memory.hpp"

#include <algorithm>

#include "io/hdf5/element_type.hpp"
#include "io/write/blocks/block_stream.hpp"
#include "io/write/blocks/block_writer.hpp"

namespace stencil {
namespace {

constexpr Index hdf5_buffers = Index{4} << 20;  // sieve, type conversion, metadata

/// Returns the memory in bytes that commit() needs if one rank has written nearly all blocks. Most
/// of it is for the records of all blocks, which are in growing vectors, in one vector, and in
/// messages to rank 0 (twice for packed chunks). The rest is for the records of earlier snapshots
/// if the run continues another run, for the positions of packed snapshots, for blocks that are
/// read back, and for HDF5's index of chunks.
Index commit_bytes(const storage::BlockGrid& grid, bool is_packed, bool has_snapshots) {
  const Index records = (is_packed ? 7 : 5) + (has_snapshots ? 2 : 0);
  return checked_multiply(grid.size(), records * Index{sizeof(storage::Written)}) +
         checked_multiply(storage::readback_threads(grid.most_bytes()), grid.most_bytes()) +
         hdf5_buffers;
}

}  // namespace

Index writing_bytes(const OutputSpec& spec, Index most_split) {
  const storage::BlockGrid grid = storage::grid_of(spec);
  return storage::block_writer_bytes(grid, spec.gzip_level > 0, most_split) +
         commit_bytes(grid, spec.gzip_level > 0, spec.snapshots.has_value());
}

Index snapshot_bytes(const OutputSpec& spec, Index most_owned, Index ranks) {
  const storage::BlockGrid grid = storage::grid_of(spec);
  const Index blocks = checked_multiply(grid.size() / spec.snapshots->count, grid.most_bytes());
  const double share = double(most_owned) / double(storage::points_of(spec.form.dims()));
  // blocks whose points are all on this rank, blocks that it completes with parts of other ranks,
  // and one block of each kind at the edges
  return static_cast<Index>(share * double(blocks)) + blocks / ranks + 2 * grid.most_bytes();
}

Index streaming_bytes(const OutputSpec& spec, Index window, Index at_a_time) {
  const storage::BlockGrid grid = storage::grid_of(spec);
  const bool is_packed = spec.gzip_level > 0;
  const Index all = checked_multiply(grid.size(), grid.most_bytes());
  // the outputs of each filter are separate in the file, and begin at a page boundary in memory
  window = checked_add(window, 2 * storage::UncachedFile::page * spec.leading_count());
  constexpr Index kept =
      storage::PackedStore::most_in_memory + storage::OrderedChunks::most_waiting;
  return checked_multiply(at_a_time, storage::block_stream_bytes(grid, is_packed, window)) +
         (is_packed ? std::min(kept, 2 * all) : 0) + commit_bytes(grid, spec.gzip_level > 0, false);
}

}  // namespace stencil
