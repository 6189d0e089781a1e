#pragma once

#include <utility>

#include "kernels/cpu/fft_lane.hpp"
#include "kernels/cpu/vector/fft_passes.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Exchanges the lanes of `a` whose number has bit `step` set with those of `b` that have not.
template <int step, class V, int... i>
[[gnu::always_inline]] inline void exchange(V& a, V& b, std::integer_sequence<int, i...>) {
  constexpr int lanes = sizeof...(i);
  const V low = __builtin_shufflevector(a, b, ((i & step) == 0 ? i : lanes + i - step)...);
  const V high = __builtin_shufflevector(a, b, ((i & step) == 0 ? i + step : lanes + i)...);
  a = low;
  b = high;
}

/// Transposes the square matrix whose row k is vector k, bit by bit of the row and lane numbers.
template <int step, class V, int lanes>
[[gnu::always_inline]] inline void transpose(V (&rows)[lanes]) {
  if constexpr (step < lanes) {
#pragma GCC unroll 16
    for (int k = 0; k < lanes; ++k)
      if ((k & step) == 0)
        exchange<step>(rows[k], rows[k + step], std::make_integer_sequence<int, lanes>());
    transpose<2 * step>(rows);
  }
}

/// What one last look at the results is for.
template <class T>
struct FftResults {
  using P = Pack<T>;
  typename P::Vector bad = {};  ///< NaN in the lanes where a result is not finite, else 0

  /// -0, which a direct sum that starts from +0 never gives, becomes +0.
  [[gnu::always_inline]] typename P::Vector look_at(const T* from) {
    const typename P::Vector value = P::load(from) + typename P::Vector{};
    bad = P::fused(value, typename P::Vector{}, bad);
    return value;
  }
};

/// Points of lines that lie along memory, one line for each lane, transposed on the way.
template <class T>
struct LineTransfer {
  using P = Pack<T>;
  using V = typename P::Vector;
  static constexpr int lanes = P::lanes;

  const FftLane<T>* lane;

  /// Inputs `[position, position + lanes)` of every lane as vectors `fft_point` elements apart.
  [[gnu::always_inline]] void load(Index position, T* to) const {
    V rows[lanes];
#pragma GCC unroll 16
    for (int l = 0; l < lanes; ++l)
      rows[l] = position + lanes <= lane[l].inputs ? P::load(lane[l].source + position)
                                                   : load_end(lane[l], position);
    transpose<1>(rows);
#pragma GCC unroll 16
    for (int k = 0; k < lanes; ++k) P::store(to + k * fft_point<T>, rows[k]);
  }

  /// Results at outputs `[position, position + lanes)` into every lane that wants them.
  [[gnu::always_inline]] void store(Index position, const T* from, FftResults<T>& results) const {
    V rows[lanes];
#pragma GCC unroll 16
    for (int k = 0; k < lanes; ++k) rows[k] = results.look_at(from + k * fft_point<T>);
    transpose<1>(rows);
#pragma GCC unroll 16
    for (int l = 0; l < lanes; ++l) {
      if (position >= lane[l].first && position + lanes <= lane[l].last)
        P::store(lane[l].target + position - lane[l].first, rows[l]);
      else
        store_end(lane[l], position, rows[l]);
    }
  }

 private:
  [[gnu::noinline]] static V load_end(const FftLane<T>& line, Index position) {
    V values = {};
    for (int k = 0; k < lanes && position + k < line.inputs; ++k)
      values[k] = line.source[position + k];
    return values;
  }
  [[gnu::noinline]] static void store_end(const FftLane<T>& line, Index position, V values) {
    for (int k = 0; k < lanes; ++k)
      if (position + k >= line.first && position + k < line.last)
        line.target[position + k - line.first] = values[k];
  }
};

/// Points of neighbouring columns of a panel, one column for each lane: vectors as they are.
template <class T>
struct ColumnTransfer {
  using P = Pack<T>;
  static constexpr int lanes = P::lanes;

  T* panel;
  Index pitch, rows;

  [[gnu::always_inline]] void load(Index position, T* to) const {
    for (Index k = 0; k < lanes; ++k)
      P::store(to + k * fft_point<T>, position + k < rows ? P::load(panel + (position + k) * pitch)
                                                          : typename P::Vector{});
  }
  [[gnu::always_inline]] void store(Index position, const T* from, FftResults<T>& results) const {
    for (Index k = 0; k < lanes; ++k)
      P::store(panel + (position + k) * pitch, results.look_at(from + k * fft_point<T>));
  }
};

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
