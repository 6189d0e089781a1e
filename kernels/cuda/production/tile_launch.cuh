#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/cuda/generated/launch_instance.cuh"
#include "kernels/cuda/production/tile.cuh"

namespace stencil::cuda {

/// Launches one block per tile of `columns` x `rows` outputs, with `bytes` of shared memory each.
///
/// Each block sums only one tile, and the blocks are numbered along rows. All resident blocks
/// together then read and write a narrow band of memory, which is fastest (0.97 of the rate of a
/// copy on an H200; blocks that walk down strips reached 0.88, blocks that continue with another
/// tile 0.80).
///
/// @param others  arguments of the kernel after the sweep and the place
template <class T, class... Others>
void launch_tiles(const LoadedKernel& kernel, const KernelArguments<T>& arguments,
                  const TilePlace& place, int columns, int rows, int threads, std::size_t bytes,
                  CUstream_st* stream, const Others&... others) {
  const long most_rows = most_grid_side * rows;
  for (long y = 0; y < arguments.rows; y += most_rows) {
    KernelArguments<T> some = arguments;
    some.rows = std::min(most_rows, arguments.rows - y);
    some.source += y * arguments.source_row;
    some.target += y * arguments.target_row;
    const long strips = (arguments.columns + place.shift + columns - 1) / columns;
    const dim3 blocks(unsigned(strips), unsigned((some.rows + rows - 1) / rows),
                      unsigned(arguments.batches));
    launch_instance(kernel, blocks, threads, bytes, stream, some, place, others...);
  }
}

}  // namespace stencil::cuda
