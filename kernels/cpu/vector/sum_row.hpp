#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Implements RowKernels::sum_row.
template <class T>
void sum_row(const Tap<T>* taps, Index count, const T* source, Index step, bool stream, T* target,
             Index n) {
  const StreamedPart part = stream ? streamed_part(target, n) : StreamedPart{};
  cover<T, 8>(n, step == 1, part, [=]<class P, int vectors>(Index x, bool streamed) {
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

/// Implements RowKernels::copy_valid.
template <class T>
void copy_valid(const T* source, T* target, Index n) {
  cover_row<T, 4>(n, {}, [=]<class P, int vectors>(Index x, bool) {
    const typename P::Vector zero = {};
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const auto data = P::load(source + x + v * P::lanes);
      P::store(target + x + v * P::lanes, data == data ? data : zero);
    }
  });
}

/// Implements RowKernels::mark_valid.
template <class T>
void mark_valid(const T* source, T* target, Index n) {
  cover_row<T, 4>(n, {}, [=]<class P, int vectors>(Index x, bool) {
    const typename P::Vector zero = {};
    const auto one = P::splat(T(1));
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v) {
      const auto data = P::load(source + x + v * P::lanes);
      P::store(target + x + v * P::lanes, data == data ? one : zero);
    }
  });
}

/// Implements RowKernels::rescale_row.
template <class T>
void rescale_row(const T* num, const T* den, const T* weight, T total, T threshold, bool stream,
                 T* target, Index n) {
  const StreamedPart part = stream ? streamed_part(target, n) : StreamedPart{};
  cover_row<T, 1>(n, part, [=]<class P, int vectors>(Index x, bool streamed) {
    static_assert(vectors == 1);
    const typename P::Vector zero = {};
    const auto sum = P::load(num + x), valid_sum = P::load(den + x), all = P::splat(total);
    const auto share =
        weight != nullptr ? P::load(weight + x) : (valid_sum < zero ? zero - valid_sum : valid_sum);
    const bool is_whole = P::equal(valid_sum, all);  // the usual case, which avoids a slow division
    const auto scaled = is_whole ? sum : valid_sum == all ? sum : sum * (all / valid_sum);
    const auto missing = (share < P::splat(threshold)) | (share == zero) | (valid_sum == zero);
    put<P>(target + x, missing ? P::splat(T(__builtin_nanf(""))) : scaled, streamed);
  });
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
