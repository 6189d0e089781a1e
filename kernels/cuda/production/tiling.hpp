#pragma once

#include <cstddef>

#include "kernels/cuda/production/sweep.hpp"

namespace stencil::cuda {

/// How tiles lie on memory so that threads can use wide accesses.
struct Alignment {
  int shift = 0;                ///< elements that the first tile begins before the first column
  int granule = 4;              ///< bytes to which a tile's inputs are aligned: 4, 8 or 16
  bool aligned_target = false;  ///< every tile's row of outputs is aligned to 16 bytes
};

template <class T>
Alignment align_tiles(const Sweep<T>& sweep);

/// Tiles of one launch: strips of columns, cut into segments of rows, of every batch.
struct Tiling {
  long strips = 1, segments = 1;
  int segment_rows = 1;
};

/// @param width   columns of a strip
/// @param step    rows that a block computes between two barriers; segments are a multiple of it
/// @param blocks  that run at once on the whole GPU
template <class T>
Tiling cut_tiles(const Sweep<T>& sweep, int width, int step, long blocks);

/// Whether tensor cores of the current GPU are known to add float64 products one by one, in order,
/// as fused multiply-adds do: tried on Hopper alone.
bool has_ordered_tensor_cores();

/// Most bytes of shared memory that one block may have on the current GPU.
std::size_t most_shared_bytes();

/// Shared memory that a block has to ask for so that no more of them than `blocks` run at once on a
/// multiprocessor.
std::size_t shared_bytes_of_one_of(int blocks);

}  // namespace stencil::cuda
