#pragma once

#include <type_traits>

#include "kernels/cuda/ladder/grid.cuh"
#include "kernels/cuda/ladder/mask.cuh"

namespace stencil::cuda::ladder {

/// A kernel of a rung with a tile in shared memory.
template <class T, int capacity>
using TiledKernel = void (*)(Sweep<T>, ConstantMask<T, capacity>);

/// Launches the line kernel of a rung for masks of height 1 and its square kernel for all others.
///
/// @param kernels  `kernels(capacity, line)` gives the kernel for masks of up to `capacity.value`
/// taps
template <class T>
void launch_tiled(Strategy strategy, const Sweep<T>& sweep, const Stencil<T>& stencil,
                  CUstream_st* stream, const auto& kernels) {
  const TileGeometry g = tile_geometry(strategy, stencil.height, stencil.width);
  const std::size_t bytes = std::size_t(g.shared_y * g.shared_x) * sizeof(T);
  with_constant_mask(stencil, [&]<int capacity>(const ConstantMask<T, capacity>& mask) {
    const TiledKernel<T, capacity> kernel =
        kernels(std::integral_constant<int, capacity>{}, stencil.height == 1);
    allow_shared_memory(reinterpret_cast<const void*>(kernel), bytes);
    for_each_grid(sweep, g, [&](const Sweep<T>& part, dim3 blocks, dim3 threads) {
      kernel<<<blocks, threads, bytes, stream>>>(part, mask);
    });
  });
}

}  // namespace stencil::cuda::ladder
