#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "framework/device/cuda/check.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/fft/convolve_part.cuh"
#include "kernels/cuda/fft/launchers.hpp"
#include "kernels/cuda/fft/pair_ends.cuh"

namespace stencil::cuda {

/// Largest number of threads per block. It determines the registers of a thread: 64 in float32; 80
/// in float64 for lines, so that several blocks fit on a multiprocessor.
template <class T>
inline constexpr int most_fft_threads = sizeof(T) == 4 ? 1024 : 768;
template <class T>
inline constexpr int most_fft_column_threads = sizeof(T) == 4 ? 1024 : 512;

/// log2 of the columns that a block of threads processes: a sector of 32 bytes of each row.
template <class T>
inline constexpr int log_fft_group = sizeof(T) == 4 ? 3 : 2;

template <class T>
__global__ void __launch_bounds__(most_fft_threads<T>)
    convolve_lines(const FftTables<T> fft, const __grid_constant__ FftPieces<T> pieces,
                   const long first) {
  PairEnds<T, true> ends(pieces, first + blockIdx.x);
  convolve_part<0>(fft, ends);
  if (__syncthreads_or(ends.is_bad(threadIdx.x))) ends.sum_directly(threadIdx.x, blockDim.x);
}

/// @param groups  number of groups of adjacent columns of one pair
template <class T>
__global__ void __launch_bounds__(most_fft_column_threads<T>)
    convolve_columns(const FftTables<T> fft, const Divisor groups,
                     const __grid_constant__ FftPieces<T> pieces) {
  constexpr int log_group = log_fft_group<T>;
  __shared__ int bad[1 << log_group];
  const int column = threadIdx.x & ((1 << log_group) - 1);
  const long pair = quotient(blockIdx.x, groups);
  const long across = ((blockIdx.x - pair * groups.by) << log_group) + column;
  PairEnds<T, false> ends(pieces, pair * pieces.across.by + min(across, pieces.across.by - 1));
  if (across >= pieces.across.by) ends.leave_out();
  if (threadIdx.x < 1 << log_group) bad[threadIdx.x] = 0;
  convolve_part<log_group>(fft, ends);
  if (ends.is_bad(threadIdx.x >> log_group)) bad[column] = 1;
  __syncthreads();
  if (bad[column] != 0) ends.sum_directly(threadIdx.x >> log_group, blockDim.x >> log_group);
}

/// @param log_legs  log2 of the number of parts of one transform
template <class T>
__global__ void __launch_bounds__(most_fft_threads<T>)
    convolve_legs(FftTables<T> fft, const int log_legs, Complex<T>* scratch) {
  const long leg = blockIdx.x;
  const long place = (leg & ((1 << log_legs) - 1)) << fft.log_points;
  fft.turns += place;
  fft.spectrum += place;
  InMemory<T> ends{scratch + (leg << fft.log_points)};
  convolve_part<0>(fft, ends);
}

// Passes through device memory. blockIdx.y is the number of a piece, and blockIdx.x numbers blocks
// that share the butterflies of a piece.

template <int radix, class T>
__global__ void forward_in_memory(const FftTables<T> fft, const int log_points, const int units,
                                  const __grid_constant__ FftPieces<T> pieces, const long first,
                                  Complex<T>* scratch) {
  const InMemory<T> points{scratch + (long(blockIdx.y) << log_points)};
  const PairEnds<T, true> ends(pieces, first + blockIdx.y);
  const int step = gridDim.x * blockDim.x;
  for (int unit = blockIdx.x * blockDim.x + threadIdx.x; unit < units; unit += step) {
    if (fft.log_points == log_points)
      forward_butterfly<radix>(unit, log_points, fft.twiddles, ends, points);
    else
      forward_butterfly<radix>(unit, fft.log_points, fft.twiddles, points, points);
  }
}

template <int radix, class T>
__global__ void inverse_in_memory(const FftTables<T> fft, const int log_points, const int units,
                                  const __grid_constant__ FftPieces<T> pieces, const long first,
                                  Complex<T>* scratch, unsigned* bad) {
  const InMemory<T> points{scratch + (long(blockIdx.y) << log_points)};
  PairEnds<T, true> ends(pieces, first + blockIdx.y);
  const int step = gridDim.x * blockDim.x;
  for (int unit = blockIdx.x * blockDim.x + threadIdx.x; unit < units; unit += step) {
    if (fft.log_points == log_points)
      inverse_butterfly<radix>(unit, log_points, fft.twiddles, points, ends);
    else
      inverse_butterfly<radix>(unit, fft.log_points, fft.twiddles, points, points);
  }
  if (ends.is_bad(threadIdx.x)) bad[blockIdx.y] = 1;
}

template <class T>
__global__ void sum_bad_pieces(const __grid_constant__ FftPieces<T> pieces, const long first,
                               const unsigned* bad) {
  if (bad[blockIdx.y] == 0) return;
  PairEnds<T, true> ends(pieces, first + blockIdx.y);
  ends.sum_directly(long(blockIdx.x) * blockDim.x + threadIdx.x, long(gridDim.x) * blockDim.x);
}

template <class T>
std::size_t bytes_on_chip(int log_points, int log_group) {
  return (std::size_t(OnChip<T>::pitch(1 << log_points, log_group)) << log_group) *
         sizeof(Complex<T>);
}

template <class T>
int log_points_on_chip() {
  const std::size_t most = most_shared_bytes();
  int log_points = sizeof(T) == 4 ? 14 : 13;
  while (bytes_on_chip<T>(log_points, 0) > most) --log_points;
  return log_points;
}

/// Launches blocks of threads, each for a group of parts of `2^log_points` points.
template <class T, class Kernel, class... Arguments>
void launch_parts(Kernel kernel, int log_points, int log_group, long blocks, CUstream_st* stream,
                  const Arguments&... arguments) {
  const std::size_t bytes = bytes_on_chip<T>(log_points, log_group);
  check(allow_shared_bytes(reinterpret_cast<const void*>(kernel), bytes),
        "shared memory of an fft");
  // if several blocks fit, each has half of the threads, and one computes while others wait
  const std::size_t half = most_shared_bytes() / 2;
  const int most = (sizeof(T) == 4 ? 1024 : 512) / (bytes <= half ? 2 : 1);
  const int threads = std::min(most, 1 << (log_points + log_group - 3));
  kernel<<<unsigned(blocks), threads, bytes, stream>>>(arguments...);
  check_launch("fft");
}

template <class T>
bool fits_fft_columns(int log_points) {
  return bytes_on_chip<T>(log_points, log_fft_group<T>) <= most_shared_bytes();
}

template <class T>
void launch_fft_lines(const FftTables<T>& fft, const FftPieces<T>& pieces, long first, long count,
                      CUstream_st* stream) {
  launch_parts<T>(convolve_lines<T>, fft.log_points, 0, count, stream, fft, pieces, first);
}

template <class T>
void launch_fft_columns(const FftTables<T>& fft, const FftPieces<T>& pieces, CUstream_st* stream) {
  constexpr int columns = 1 << log_fft_group<T>;
  const long across = pieces.across.by, groups = (across + columns - 1) / columns;
  launch_parts<T>(convolve_columns<T>, fft.log_points, log_fft_group<T>,
                  groups * (pieces.count / across), stream, fft, Divisor(groups), pieces);
}

template <class T>
void launch_fft_in_memory(const FftTables<T>& fft, const FftPieces<T>& pieces, long first,
                          long count, Complex<T>* scratch, unsigned* bad, CUstream_st* stream) {
  constexpr int threads = 256;
  const int log_points = fft.log_points;
  const auto grid = [&](int units) {
    return dim3(unsigned(std::min(1 << 14, (units + threads - 1) / threads)), unsigned(count));
  };
  check(cudaMemsetAsync(bad, 0, std::size_t(count) * sizeof *bad, stream), "clearing marks");
  std::vector<FftTables<T>> passes{fft};
  while (passes.back().log_points > log_points_on_chip<T>()) {
    const FftTables<T>& pass = passes.back();
    const int units = (1 << log_points) / pass.first_radix();
    const auto kernel = pass.fours > 0 ? forward_in_memory<4, T> : forward_in_memory<8, T>;
    kernel<<<grid(units), threads, 0, stream>>>(pass, log_points, units, pieces, first, scratch);
    check_launch("forward pass of an fft");
    passes.push_back(pass.after_first_pass());
  }
  const FftTables<T> rest = passes.back();
  passes.pop_back();
  const int log_legs = log_points - rest.log_points;
  launch_parts<T>(convolve_legs<T>, rest.log_points, 0, count << log_legs, stream, rest, log_legs,
                  scratch);
  for (; !passes.empty(); passes.pop_back()) {
    const FftTables<T>& pass = passes.back();
    const int units = (1 << log_points) / pass.first_radix();
    const auto kernel = pass.fours > 0 ? inverse_in_memory<4, T> : inverse_in_memory<8, T>;
    kernel<<<grid(units), threads, 0, stream>>>(pass, log_points, units, pieces, first, scratch,
                                                bad);
    check_launch("inverse pass of an fft");
  }
  sum_bad_pieces<T><<<grid(int(2 * pieces.block)), threads, 0, stream>>>(pieces, first, bad);
  check_launch("direct sums of an fft");
}

}  // namespace stencil::cuda
