#include "io/write/writing_memory.hpp"

#include "io/hdf5/element_type.hpp"
#include "io/write/block_writer.hpp"

namespace stencil {
namespace {

constexpr Index hdf5_buffers = Index{4} << 20;  // sieve, type conversion, metadata

}  // namespace

Index writing_bytes(const OutputSpec& spec, Index most_split) {
  const storage::BlockGrid grid(spec.form.dims(), spec.chunk,
                                static_cast<Index>(size_of(spec.type)));
  const bool is_packed = spec.gzip_level > 0;
  const Index records = checked_multiply(grid.size(), 2 * sizeof(storage::Written));
  // reading back: a block of another rank, and what HDF5 keeps of the index of chunks
  return storage::block_writer_bytes(grid, is_packed, most_split) + records +
         checked_multiply(2, grid.most_bytes()) + hdf5_buffers;
}

}  // namespace stencil
