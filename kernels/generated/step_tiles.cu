// Several steps in one sweep at the edges of the world (kernels/cuda/steps/tiles.cuh), for one
// mask. This text is compiled at run time (NVRTC) after a preamble that step_source.cpp writes:
//
//   using T = float;                       the element type: float or double
//   constexpr int height, width, taps;     sides of the mask, and the number of its taps
//   constexpr bool is_separable;           whether the taps are a row, then a column
//   constexpr short tap_of[height][width]; index of each tap of a direct mask; -1: skipped
#include "kernels/cuda/steps/tiles.cuh"

namespace stencil::generated {

struct Taps {
  T values[taps];
};

struct KnownMask {
  const Taps& t;

  __device__ static constexpr int height() { return ::height; }
  __device__ static constexpr int width() { return ::width; }
  __device__ static constexpr bool is_separable() { return ::is_separable; }
  __device__ static constexpr bool multiplies(int j, int i) { return tap_of[j][i] >= 0; }
  __device__ T tap(int j, int i) const { return t.values[tap_of[j][i]]; }
  __device__ T row_tap(int i) const { return t.values[i]; }
  __device__ T column_tap(int j) const { return t.values[::width + j]; }
};

extern "C" __global__ void __launch_bounds__(cuda::tile_threads)
    step_tiles(const __grid_constant__ TileArguments<T> a, const __grid_constant__ Taps t) {
  extern __shared__ __align__(16) unsigned char memory[];
  cuda::advance_tile<T>(a, KnownMask{t}, reinterpret_cast<T*>(memory));
}

}  // namespace stencil::generated
