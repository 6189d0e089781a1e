#pragma once

#include <cstddef>

#include "examples/strategies/strategy_name.hpp"
#include "kernels/cuda/launch.hpp"

namespace stencil::cuda::ladder {

/// Threads of a block and, unless stated otherwise, outputs of a block. Masks of height 1 use lines
/// along x; all other masks use tiles as wide as a warp. In a tile of 16 x 16, a warp would have
/// two rows, which take two accesses to shared memory and to the L1 cache.
inline constexpr int line_tile = 256;
inline constexpr int tile_rows = 8, tile_columns = 32;
/// Inputs of a block of tiled_input, equal to its threads.
inline constexpr int line_input_tile = 512;
inline constexpr int square_input_tile = 32;

/// Largest size in bytes of taps that fit into the arguments of a kernel (32,764 bytes in all) with
/// its other arguments.
inline constexpr std::size_t most_mask_bytes = 32'000;
/// Masks of up to this size use smaller arguments, so that a launch of a small mask stays cheap.
inline constexpr std::size_t small_mask_bytes = 1'024;

/// Division of a sweep of a strategy into blocks of threads.
struct TileGeometry {
  int threads_y = 1, threads_x = 1;  ///< threads of a block
  Index tile_y = 1, tile_x = 1;      ///< outputs of a block; below 1 if the mask is too large
  Index shared_y = 0, shared_x = 0;  ///< inputs that a block keeps in shared memory
};

TileGeometry tile_geometry(Strategy strategy, Index height, Index width);

/// Operations and loads of a sweep, without any cache.
struct SweepWork {
  double multiply_adds = 0;
  double loads = 0;  ///< loads of inputs from global memory by all threads

  double reuse() const { return multiply_adds / loads; }
};

/// Counts the work of all blocks, with the actual size of the blocks at the ends of the view.
///
/// @param outputs  `[batch, y, x]`, none of them 0
SweepWork count_work(Strategy strategy, Index height, Index width, const Point& outputs);

/// Multiply-adds per load that a tile of T outputs should reach with a mask of W or `H x W` taps,
/// far from the ends of the view: `T W / (T + W - 1)` along each axis, or 1 for strategies without
/// a tile.
double reuse_by_formula(Strategy strategy, Index height, Index width);

}  // namespace stencil::cuda::ladder
