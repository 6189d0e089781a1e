// Masks along y of any height. A block sums a narrow, tall tile from shared memory; each thread
// sums some rows of one chunk of columns.
#include "kernels/cuda/production/constant_sums.cuh"
#include "kernels/cuda/production/tile.cuh"
#ifndef __CUDACC_RTC__
#include "kernels/cuda/production/kernels.hpp"
#include "kernels/cuda/production/tile_launch.cuh"
#endif

namespace stencil::cuda {
namespace {

constexpr int lanes = 8, lines = 16, threads = lanes * lines;
/// Number of rows of one thread, and number of blocks that should fit on a multiprocessor. Each
/// value was the fastest of those tried on an H200.
template <class T>
constexpr int outputs = sizeof(T) == 4 ? 8 : 16;
template <class T>
constexpr int blocks = sizeof(T) == 4 ? 6 : 3;
template <class T>
constexpr int rows = lines* outputs<T>;

template <class T, bool skip_zeros>
__global__ void __launch_bounds__(threads, blocks<T>)
    tile_column(const __grid_constant__ KernelArguments<T> arguments,
                const __grid_constant__ TilePlace place, const __grid_constant__ BandTaps<T> taps) {
  constexpr int n = chunk<T>, pitch = lanes * n;
  extern __shared__ __align__(128) unsigned char memory[];
  T* const inputs = reinterpret_cast<T*>(memory);
  const Tile<T> tile(arguments, place, pitch, rows<T>);
  tile.template start_narrow<lanes, pitch>(tile.end + arguments.height - 1, inputs);
  await_all_copies();
  const int x = threadIdx.x % lanes * n, y = threadIdx.x / lanes * outputs<T>;
  T sum[outputs<T>][n] = {};
  if (arguments.resume) tile.resume(y, x, sum);
  add_constant_column<skip_zeros>(inputs + y * pitch + x, pitch, taps.values, arguments.height,
                                  sum);
  tile.store(y, x, sum, arguments.finish);
}

}  // namespace

#ifndef __CUDACC_RTC__  // host code

template <class T>
void launch_tile_column(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream) {
  static_assert(most_column_taps <= BandTaps<T>::most);
  constexpr int columns = lanes * chunk<T>;
  BandTaps<T> band;
  std::copy_n(stencil.taps.data() + arguments.first_tap, arguments.height, band.values);
  const std::size_t bytes = sizeof(T) * columns * (rows<T> + arguments.height - 1);
  launch_tiles(instance("tile_column.cu", instance_name<T>("tile_column", arguments.skip_zeros)),
               arguments, place_tiles(arguments, 0), columns, rows<T>, threads, bytes, stream,
               band);
}

template void launch_tile_column(const KernelArguments<float>&, const Stencil<float>&,
                                 CUstream_st*);
template void launch_tile_column(const KernelArguments<double>&, const Stencil<double>&,
                                 CUstream_st*);

#endif

}  // namespace stencil::cuda
