#pragma once

#include <utility>

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector/pack.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Returns the even (`first` 0) or the odd (`first` 1) elements of two consecutive vectors.
template <int first, class V, int... i>
[[gnu::always_inline]] inline V every_second(V a, V b, std::integer_sequence<int, i...>) {
  return __builtin_shufflevector(a, b, (2 * i + first)...);
}

/// Splits as many elements as fill whole vectors: `even[k] = source[2 * k]`, `odd[k] = source[2 * k
/// + 1]`, k in [0, n). Returns the number of elements written to each target.
template <class T>
Index split_pairs(const T* source, T* even, T* odd, Index n) {
  using P = Pack<T>;
  constexpr auto places = std::make_integer_sequence<int, P::lanes>();
  Index k = 0;
  for (; k + P::lanes <= n; k += P::lanes) {
    const auto a = P::load(source + 2 * k), b = P::load(source + 2 * k + P::lanes);
    P::store(even + k, every_second<0>(a, b, places));
    P::store(odd + k, every_second<1>(a, b, places));
  }
  return k;
}

/// Implements RowKernels::split_row.
template <class T>
void split_row(const T* source, Index inputs, Index step, Index parts, T* target, Index pitch) {
  const Index begin =
      step == 2 && parts == 2 ? split_pairs(source, target, target + pitch, inputs / 2) : 0;
  for (Index part = 0; part < parts; ++part) {
    T* const to = target + part * pitch;
    const Index n = (inputs - part + step - 1) / step;
    for (Index k = begin; k < n; ++k) to[k] = source[k * step + part];
  }
}

/// Implements RowKernels::all_finite.
template <class T>
bool all_finite(const T* row, Index n) {
  using P = Pack<T>;
  constexpr int vectors = 4;
  const typename P::Vector zero = {};
  typename P::Vector sum[vectors] = {};  // remains 0 if all values are finite
  Index x = 0;
  for (; x + vectors * P::lanes <= n; x += vectors * P::lanes) {
#pragma GCC unroll 4
    for (int v = 0; v < vectors; ++v)
      sum[v] = P::fused(P::load(row + x + v * P::lanes), zero, sum[v]);
  }
  T rest = 0;
  for (; x < n; ++x) rest = fused_scalar(row[x], T(0), rest);
  return rest == 0 && P::equal((sum[0] + sum[1]) + (sum[2] + sum[3]), zero);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
