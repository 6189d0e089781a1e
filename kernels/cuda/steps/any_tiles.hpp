#pragma once

#include <cstddef>

#include "kernels/generated/step_arguments.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// A mask whose sides and taps are arguments of a kernel.
template <class T>
struct AnyMask {
  int rows = 1, columns = 1;  ///< at most 9 each
  bool separable = false, skips_zeros = false;
  T taps[81] = {};  ///< `[rows, columns]`; for a separable mask the row, then the column
};

/// Number of threads of a block that computes a tile.
inline constexpr int threads_of_tiles = 512;

/// Queues several steps of tiles with any mask. The kernel is compiled ahead and has one block for
/// each tile.
///
/// @param bytes  number of bytes of shared memory of a block
/// @throws MachineError  the launch failed
template <class T>
void launch_any_tiles(const generated::TileArguments<T>& arguments, const AnyMask<T>& mask,
                      unsigned blocks, std::size_t bytes, CUstream_st* stream);

}  // namespace stencil::cuda
