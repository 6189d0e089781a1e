#pragma once

#include <type_traits>

#include "examples/strategies/grid.cuh"
#include "examples/strategies/mask.cuh"

namespace stencil::cuda::ladder {

/// A kernel of a strategy with a tile in shared memory.
template <class T, class Mask>
using TiledKernel = void (*)(KernelArguments<T>, Mask);

/// Returns the line kernel of a strategy for masks of height 1, and its grid kernel for other
/// masks. If the sides are known at compile time, only the kernel that is needed is compiled.
template <class Rung, class T, class Mask>
TiledKernel<T, Mask> kernel_for(const Mask& mask) {
  if constexpr (std::is_base_of_v<AnySides, Mask>) {
    return mask.height == 1 ? Rung::template line<T, Mask>() : Rung::template grid<T, Mask>();
  } else if constexpr (Mask::height == 1) {
    return Rung::template line<T, Mask>();
  } else {
    return Rung::template grid<T, Mask>();
  }
}

/// Launches the kernel of a strategy.
///
/// @tparam Rung  has the strategy, and `line<T, Mask>()` and `grid<T, Mask>()`, which return a
///               TiledKernel
template <class Rung, class T>
void launch_tiled(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                  CUstream_st* stream) {
  const TileGeometry g = tile_geometry(Rung::strategy, stencil.height, stencil.width);
  const std::size_t bytes = std::size_t(g.shared_y * g.shared_x) * sizeof(T);
  with_constant_mask(stencil, [&]<class Mask>(const Mask& mask) {
    const TiledKernel<T, Mask> kernel = kernel_for<Rung, T>(mask);
    allow_shared_memory(reinterpret_cast<const void*>(kernel), bytes);
    for_each_grid(arguments, g, [&](const KernelArguments<T>& part, dim3 blocks, dim3 threads) {
      kernel<<<blocks, threads, bytes, stream>>>(part, mask);
    });
  });
}

}  // namespace stencil::cuda::ladder
