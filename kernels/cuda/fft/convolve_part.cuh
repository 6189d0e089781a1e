#pragma once

#include <type_traits>

#include "kernels/cuda/fft/passes.cuh"

namespace stencil::cuda {

template <int value>
inline constexpr std::integral_constant<int, value> size{};
inline constexpr std::integral_constant<int, 4> four{};
inline constexpr std::integral_constant<int, 8> eight{};

/// Computes all passes of a part in shared memory, by a block of threads. A group of parts is
/// transformed at once; each thread reads and writes points of one part of the group.
///
/// @param ends  reads and writes the points of this thread's part
template <int log_group, class T, class Ends>
__device__ __forceinline__ void convolve_part(FftTables<T> fft, Ends& ends) {
  extern __shared__ __align__(16) unsigned char shared[];
  const int points = 1 << fft.log_points, thread = threadIdx.x, threads = blockDim.x;
  const int pitch = OnChip<T>::pitch(points, log_group);
  Complex<T>* const group = reinterpret_cast<Complex<T>*>(shared);
  // In the passes that read or write device memory, a thread processes butterflies of one part. In
  // all other passes, butterflies of all parts are distributed over the threads.
  const OnChip<T> own{group + (thread & ((1 << log_group) - 1)) * pitch};
  const auto at_ends = [&](int radix, const auto& butterfly_of) {
    for (int unit = thread >> log_group; unit < points / radix; unit += threads >> log_group)
      butterfly_of(unit);
  };
  const auto in_all = [&](int log_radix, const auto& butterfly_of) {
    const int log_units = fft.log_points - log_radix;
    for (int unit = thread; unit < 1 << (log_units + log_group); unit += threads)
      butterfly_of(OnChip<T>{group + (unit >> log_units) * pitch}, unit & ((1 << log_units) - 1));
  };

  const bool first_by_four = fft.fours > 0, second_by_four = fft.fours > 1;
  const int log_points = fft.log_points;
  const Complex<T>* twiddles = fft.twiddles;
  const auto forward = [&](auto by, auto part_size) {
    constexpr int radix = decltype(by)::value, log_part = decltype(part_size)::value;
    __syncthreads();
    in_all(radix == 8 ? 3 : 2, [&](OnChip<T> part, int unit) {
      forward_butterfly<radix>(unit, log_part, twiddles, part, part);
    });
    twiddles += 1 << (log_part - 3);
  };
  const auto inverse = [&](auto by, auto part_size) {
    constexpr int radix = decltype(by)::value, log_part = decltype(part_size)::value;
    __syncthreads();
    twiddles -= 1 << (log_part - 3);
    in_all(radix == 8 ? 3 : 2, [&](OnChip<T> part, int unit) {
      inverse_butterfly<radix>(unit, log_part, twiddles, part, part);
    });
  };
  if (first_by_four)
    at_ends(4, [&](int unit) { forward_butterfly<4>(unit, log_points, twiddles, ends, own); });
  else
    at_ends(8, [&](int unit) { forward_butterfly<8>(unit, log_points, twiddles, ends, own); });
  twiddles += 1 << (log_points - 3);
  // After the first pass only passes of radix 8 remain, except for at most one pass of radix 4; the
  // last pass of radix 8 is part of multiply_octet. So parts have few different sizes, for which
  // indices are compile-time constants.
  const int log_part = log_points - (first_by_four ? 2 : 3);
  const int log_eights = log_part - (second_by_four ? 2 : 0);
  if (log_part == 11) forward(four, size<11>);
  if (log_part == 8) forward(four, size<8>);
  if (log_eights == 12) forward(eight, size<12>);
  if (log_eights >= 9) forward(eight, size<9>);
  __syncthreads();
  in_all(3, [&](OnChip<T> part, int unit) {
    const int square = unit >> 3 << 6;
    multiply_octet(part.points + OnChip<T>::padded(square), unit & 7, fft.turns + square,
                   fft.spectrum + square);
  });
  if (log_eights >= 9) inverse(eight, size<9>);
  if (log_eights == 12) inverse(eight, size<12>);
  if (log_part == 8) inverse(four, size<8>);
  if (log_part == 11) inverse(four, size<11>);
  __syncthreads();
  if (first_by_four)
    at_ends(4, [&](int unit) { inverse_butterfly<4>(unit, log_points, fft.twiddles, own, ends); });
  else
    at_ends(8, [&](int unit) { inverse_butterfly<8>(unit, log_points, fft.twiddles, own, ends); });
}

}  // namespace stencil::cuda
