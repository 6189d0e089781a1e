#pragma once

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// How tiles lie on memory so that threads can use wide accesses.
struct Alignment {
  int shift = 0;                ///< elements that the first tile begins before the first column
  int granule = 4;              ///< bytes to which a tile's inputs are aligned: 4, 8 or 16
  bool aligned_target = false;  ///< every tile's row of outputs is aligned to 16 bytes
};

template <class T>
Alignment align_tiles(const KernelArguments<T>& arguments);

/// Tiles of one launch: strips of columns, cut into segments of rows, of every batch.
struct Tiling {
  long strips = 1, segments = 1;
  int segment_rows = 1;
};

/// @param width   columns of a strip
/// @param step    rows that a block computes between two barriers; segments are a multiple of it
/// @param blocks  that run at once on the whole GPU
template <class T>
Tiling cut_tiles(const KernelArguments<T>& arguments, int width, int step, long blocks);

/// Number of parts into which the rows of strips are divided for warps that walk down: for each
/// number of rounds of all blocks that fit, the most parts that run in them; of these, the one that
/// gives the GPU least work.
///
/// @param blocks    for one part
/// @param resident  blocks that the GPU holds at once
/// @param extra     rows that each part passes in addition to its own
long best_parts(long rows, long blocks, long resident, long extra);

}  // namespace stencil::cuda
