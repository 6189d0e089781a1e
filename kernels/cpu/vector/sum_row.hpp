#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// RowKernels::sum_row.
template <class T>
void sum_row(const Tap<T>* taps, Index count, const T* source, Index step, bool stream, T* target,
             Index n) {
  const Index lead = stream ? elements_to_line(target, n) : -1;
  cover<T, 8>(n, step == 1, lead, [=]<class P, int vectors>(Index x, bool streamed) {
    typename P::Vector sum[vectors] = {};
    for (Index k = 0; k < count; ++k) {
      const T* from = source + x * step + taps[k].offset;
      const auto tap = P::splat(taps[k].value);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v)
        sum[v] = P::fused(tap, P::load(from + v * P::lanes * step), sum[v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) put<P>(target + x + v * P::lanes, sum[v], streamed);
  });
}

/// RowKernels::sum_valid_row; `mixed` says whether `weight` is wanted.
template <class T, bool mixed>
void sum_valid(const Tap<T>* taps, Index count, const T* source, Index step, T* num, T* den,
               T* weight, Index n) {
  cover<T, 4>(n, step == 1, -1, [=]<class P, int vectors>(Index x, bool) {
    const typename P::Vector zero = {};
    typename P::Vector sum[vectors] = {}, valid_sum[vectors] = {}, absolute_sum[vectors] = {};
    for (Index k = 0; k < count; ++k) {
      const T* from = source + x * step + taps[k].offset;
      const T value = taps[k].value;
      const auto tap = P::splat(value), absolute = P::splat(value < 0 ? -value : value);
#pragma GCC unroll 4
      for (int v = 0; v < vectors; ++v) {
        const auto data = P::load(from + v * P::lanes * step);
        const auto valid = data == data;
        sum[v] = P::fused(tap, valid ? data : zero, sum[v]);
        valid_sum[v] += valid ? tap : zero;
        if constexpr (mixed) absolute_sum[v] += valid ? absolute : zero;
      }
    }
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      put<P>(num + x + v * P::lanes, sum[v]);
      put<P>(den + x + v * P::lanes, valid_sum[v]);
      if constexpr (mixed) put<P>(weight + x + v * P::lanes, absolute_sum[v]);
    }
  });
}

template <class T>
void sum_valid_row(const Tap<T>* taps, Index count, const T* source, Index step, T* num, T* den,
                   T* weight, Index n) {
  if (weight != nullptr) {
    sum_valid<T, true>(taps, count, source, step, num, den, weight, n);
  } else {
    sum_valid<T, false>(taps, count, source, step, num, den, weight, n);
  }
}

/// RowKernels::rescale_row.
template <class T>
void rescale_row(const T* num, const T* den, const T* weight, T total, T threshold, T* target,
                 Index n) {
  cover_row<T, 1>(n, -1, [=]<class P, int vectors>(Index x, bool) {
    static_assert(vectors == 1);
    const typename P::Vector zero = {};
    const auto sum = P::load(num + x), valid_sum = P::load(den + x), all = P::splat(total);
    const auto share =
        weight != nullptr ? P::load(weight + x) : (valid_sum < zero ? zero - valid_sum : valid_sum);
    const auto scaled = valid_sum == all ? sum : sum * (all / valid_sum);
    const auto missing = (share < P::splat(threshold)) | (share == zero) | (valid_sum == zero);
    put<P>(target + x, missing ? P::splat(T(__builtin_nanf(""))) : scaled);
  });
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
