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

/// Moves points between the lines of a group of lanes and vectors, `lanes` points at a time.
///
/// Lines whose points follow each other in memory are transposed; where the lanes are neighbours in
/// memory (columns of a grid) their points are vectors already; all else goes one by one.
template <class T>
struct FftTransfer {
  using P = Pack<T>;
  using V = typename P::Vector;
  static constexpr int lanes = P::lanes;

  const FftLane<T>* lane;
  Index source_step, target_step;
  bool from_neighbours = true, to_neighbours = true;
  V bad = {};  ///< NaN in the lanes where a result is not finite, else 0

  FftTransfer(const FftLane<T>* all, Index source_elements, Index target_elements)
      : lane(all), source_step(source_elements), target_step(target_elements) {
    for (int l = 1; l < lanes; ++l) {
      from_neighbours &= lane[l].source == lane[0].source + l && lane[l].inputs == lane[0].inputs;
      to_neighbours &= lane[l].target == lane[0].target + l && lane[l].first == lane[0].first &&
                       lane[l].last == lane[0].last;
    }
  }

  /// Inputs `[position, position + lanes)` of every lane as vectors `fft_point` elements apart.
  [[gnu::always_inline]] void load(Index position, T* to) const {
    if (source_step == 1) {
      V rows[lanes];
#pragma GCC unroll 16
      for (int l = 0; l < lanes; ++l)
        rows[l] = position + lanes <= lane[l].inputs ? P::load(lane[l].source + position)
                                                     : load_end(lane[l], position);
      transpose<1>(rows);
#pragma GCC unroll 16
      for (int k = 0; k < lanes; ++k) P::store(to + k * fft_point<T>, rows[k]);
    } else {
      for (int k = 0; k < lanes; ++k) load_step(position + k, to + k * fft_point<T>);
    }
  }

  /// Results at outputs `[position, position + lanes)` into every lane that wants them.
  [[gnu::always_inline]] void store(Index position, const T* from) {
    V rows[lanes];
#pragma GCC unroll 16
    for (int k = 0; k < lanes; ++k) {
      // -0, which a direct sum that starts from +0 never gives, becomes +0
      rows[k] = P::load(from + k * fft_point<T>) + V{};
      bad = P::fused(rows[k], V{}, bad);
    }
    if (target_step == 1) {
      transpose<1>(rows);
#pragma GCC unroll 16
      for (int l = 0; l < lanes; ++l) {
        if (position >= lane[l].first && position + lanes <= lane[l].last)
          P::store(lane[l].target + position - lane[l].first, rows[l]);
        else
          store_end(lane[l], position, rows[l]);
      }
    } else {
      for (int k = 0; k < lanes; ++k) store_step(position + k, rows[k]);
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
  void load_step(Index position, T* to) const {
    V values = {};
    if (from_neighbours) {
      if (position < lane[0].inputs) values = P::load(lane[0].source + position * source_step);
    } else {
      for (int l = 0; l < lanes; ++l)
        if (position < lane[l].inputs) values[l] = lane[l].source[position * source_step];
    }
    P::store(to, values);
  }
  void store_step(Index position, V values) const {
    if (to_neighbours) {
      if (position >= lane[0].first && position < lane[0].last)
        P::store(lane[0].target + (position - lane[0].first) * target_step, values);
      return;
    }
    for (int l = 0; l < lanes; ++l)
      if (position >= lane[l].first && position < lane[l].last)
        lane[l].target[(position - lane[l].first) * target_step] = values[l];
  }
};

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
