#include "kernels/cuda/steps/any_tiles.hpp"

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/steps/tiles.cuh"

namespace stencil::cuda {
namespace {

static_assert(threads_of_tiles == tile_threads);

/// AnyMask with the interface that advance_tile requires.
template <class T>
struct MaskOfArguments {
  const AnyMask<T>& m;

  __device__ int height() const { return m.rows; }
  __device__ int width() const { return m.columns; }
  __device__ bool is_separable() const { return m.separable; }
  __device__ bool multiplies(int j, int i) const { return !m.skips_zeros || tap(j, i) != 0; }
  __device__ T tap(int j, int i) const { return m.taps[j * m.columns + i]; }
  __device__ T row_tap(int i) const { return m.taps[i]; }
  __device__ T column_tap(int j) const { return m.taps[m.columns + j]; }
};

template <class T>
__global__ void __launch_bounds__(tile_threads)
    advance_any_tiles(const __grid_constant__ generated::TileArguments<T> arguments,
                      const __grid_constant__ AnyMask<T> mask) {
  extern __shared__ __align__(16) unsigned char memory[];
  advance_tile(arguments, MaskOfArguments<T>{mask}, reinterpret_cast<T*>(memory));
}

}  // namespace

template <class T>
void launch_any_tiles(const generated::TileArguments<T>& arguments, const AnyMask<T>& mask,
                      unsigned blocks, std::size_t bytes, CUstream_st* stream) {
  check(allow_shared_bytes(reinterpret_cast<const void*>(advance_any_tiles<T>), bytes),
        "shared memory of several steps");
  advance_any_tiles<T><<<blocks, tile_threads, bytes, stream>>>(arguments, mask);
  check_launch("several steps");
}

template void launch_any_tiles(const generated::TileArguments<float>&, const AnyMask<float>&,
                               unsigned, std::size_t, CUstream_st*);
template void launch_any_tiles(const generated::TileArguments<double>&, const AnyMask<double>&,
                               unsigned, std::size_t, CUstream_st*);

}  // namespace stencil::cuda
