// Direct masks for which multiplying takes longer than reading. Large masks are summed in bands of
// rows. A block sums one tile from shared memory. Each thread sums two rows of a few chunks of
// columns, one row of the mask after the other.
#include <cstddef>

#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/tile.cuh"
#include "kernels/cuda/production/tile_sums.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int lanes = 16, lines = 16, threads = lanes * lines, outputs = 2, rows = lines * outputs;
/// Number of chunks of one thread; an odd number avoids bank conflicts. Each value was the fastest
/// of those tried on an H200.
template <class T>
constexpr int chunks = sizeof(T) == 4 ? 3 : 5;
template <class T>
constexpr int columns = lanes* chunks<T>* chunk<T>;
constexpr std::size_t most_bytes = 110 << 10;  ///< shared memory of one of two resident blocks

/// Largest width of a mask for which a row of inputs fits into registers.
constexpr int most_known_width = 48;

/// Layout of the inputs in shared memory.
///
/// @tparam width  width of the mask if it is known to the compiler, else 0
template <class T, int width>
struct WideShape : TileShape<T, width, columns<T>> {
  __host__ __device__ explicit WideShape(int) {}
};
template <class T>
struct WideShape<T, 0> {
  static constexpr int lead = 0, skip = 0, unit = 16 / int(sizeof(T));
  int pitch;
  __host__ __device__ explicit WideShape(int width)
      : pitch((columns<T> + BandTaps<T>::pitch(width) + unit - 1) / unit * unit) {}
};

template <class T, int width, bool skip_zeros>
__global__ void __launch_bounds__(threads, sizeof(T) == 4 ? 3 : 2)
    tile_wide(const __grid_constant__ KernelArguments<T> arguments,
              const __grid_constant__ TilePlace place, const __grid_constant__ BandTaps<T> taps) {
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const WideShape<T, width> shape(arguments.width);
  const Tile<T> tile(arguments, place, columns<T>, rows);
  tile.load(shape, tile.end + arguments.height - 1, arguments.width, inputs,
            inputs + (rows + arguments.height - 1) * shape.pitch);
  const int x = threadIdx.x % lanes * (chunks<T> * chunk<T>), y = threadIdx.x / lanes * outputs;
  T sum[outputs][chunks<T> * chunk<T>] = {};
  if (arguments.resume) tile.resume(y, x, sum);
  const T* from = inputs + y * shape.pitch + x + shape.skip;
  const T* row = taps.values;
#pragma unroll 1
  for (int j = 0; j < arguments.height;
       ++j, from += shape.pitch, row += taps.pitch(arguments.width)) {
    if constexpr (width > 0) {
      add_line_sums<width, shape.sub>(from, shape.pitch, row, sum);
    } else {
      add_constant_row<skip_zeros>(from, shape.pitch, row, arguments.width, sum);
    }
  }
  tile.store(y, x, sum, arguments.finish);
}

static_assert(sizeof(KernelArguments<double>) + sizeof(TilePlace) + sizeof(BandTaps<double>) <=
                  4096,
              "larger masks go in bands");

}  // namespace

#ifndef __CUDACC_RTC__  // host code

template <class T>
bool fits_tile_wide(const KernelArguments<T>& arguments) {
  const int widest = columns<T> + arguments.width + 2 * (64 / int(sizeof(T)));  // largest layout
  return arguments.height * BandTaps<T>::pitch(arguments.width) <= BandTaps<T>::most &&
         sizeof(T) * widest * (rows + arguments.height - 1) + 16 <=
             std::min(most_bytes, most_shared_bytes());
}

template <class T>
void launch_tile_wide(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                      CUstream_st* stream) {
  const int height = arguments.height, width = arguments.width;
  BandTaps<T> band;
  for (int j = 0; j < height; ++j)
    std::copy_n(stencil.taps.data() + arguments.first_tap + j * width, width,
                band.values + j * band.pitch(width));
  const bool known = !arguments.skip_zeros && width <= most_known_width;
  const WideShape<T, 0> any(width);
  const int lead = known ? tile_lead<T>(width) : any.lead;
  const int pitch = known ? tile_pitch<T>(width, columns<T>) : any.pitch;
  const std::size_t bytes = sizeof(T) * std::size_t(pitch) * (rows + height - 1) + 16;
  launch_tiles(instance("tile_wide.cu",
                        instance_name<T>("tile_wide", known ? width : 0, arguments.skip_zeros)),
               arguments, place_tiles(arguments, lead), columns<T>, rows, threads, bytes, stream,
               band);
}

template bool fits_tile_wide(const KernelArguments<float>&);
template bool fits_tile_wide(const KernelArguments<double>&);
template void launch_tile_wide(const KernelArguments<float>&, const Stencil<float>&, CUstream_st*);
template void launch_tile_wide(const KernelArguments<double>&, const Stencil<double>&,
                               CUstream_st*);

#endif

}  // namespace stencil::cuda
