#pragma once

#include <bit>

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Computes `count` output channels, for as many vectors at once as fit into the registers together
/// with the inputs.
template <class T, int count>
void sum_channels_of(const Index* offsets, const T* values, Index taps, const T* source, Index step,
                     T* target, Index pitch, Index n) {
  constexpr int most = vector_registers == 32 ? 16 : 8;
  constexpr int wide = count == 1 ? 8 : most / int(std::bit_ceil(unsigned(count)));
  cover<T, wide>(n, step == 1, {}, [=]<class P, int vectors>(Index x, bool) {
    typename P::Vector sum[count][vectors] = {};
    for (Index t = 0; t < taps; ++t) {
      const T* from = source + x * step + offsets[t];
      typename P::Vector data[vectors];
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) data[v] = P::load(from + v * P::lanes * step);
#pragma GCC unroll 4
      for (int k = 0; k < count; ++k) {
        const auto tap = P::splat(values[t * count + k]);
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v) sum[k][v] = P::fused(tap, data[v], sum[k][v]);
      }
    }
#pragma GCC unroll 4
    for (int k = 0; k < count; ++k) {
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) put<P>(target + k * pitch + x + v * P::lanes, sum[k][v]);
    }
  });
}

/// Implements RowKernels::sum_channels.
template <class T>
void sum_channels(const Index* offsets, const T* values, Index taps, int count, const T* source,
                  Index step, T* target, Index pitch, Index n) {
  static_assert(most_channels == 4);
  switch (count) {
    case 1:
      return sum_channels_of<T, 1>(offsets, values, taps, source, step, target, pitch, n);
    case 2:
      return sum_channels_of<T, 2>(offsets, values, taps, source, step, target, pitch, n);
    case 3:
      return sum_channels_of<T, 3>(offsets, values, taps, source, step, target, pitch, n);
    case 4:
      return sum_channels_of<T, 4>(offsets, values, taps, source, step, target, pitch, n);
  }
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
