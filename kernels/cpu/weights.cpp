#include "kernels/cpu/weights.hpp"

#include <algorithm>
#include <cmath>

namespace stencil::cpu {
namespace {

template <class T>
std::vector<T> absolute(std::vector<T> taps) {
  for (T& tap : taps) tap = std::abs(tap);
  return taps;
}

template <class T>
T sum(const std::vector<T>& taps) {
  T result = 0;
  for (const T tap : taps) result += tap;
  return result;
}

/// Computes a pass over inputs that are all `value`.
template <class T>
T sum_over(const std::vector<T>& taps, T value) {
  T result = 0;
  for (const T tap : taps) result = std::fma(tap, value, result);
  return result;
}

/// Computes the passes along x, y and, if there is a factor for it, batch, over inputs of 1.
template <class T>
T sum(const std::vector<T>& plane, const std::vector<T>& column, const std::vector<T>& row) {
  const T result = sum_over(column, sum(row));
  return plane.empty() ? result : sum_over(plane, result);
}

template <class T>
bool has_both_signs(const std::vector<T>& taps) {
  return std::any_of(taps.begin(), taps.end(), [](T tap) { return tap < 0; }) &&
         std::any_of(taps.begin(), taps.end(), [](T tap) { return tap > 0; });
}

}  // namespace

template <class T>
Weights<T> make_weights(const Stencil<T>& stencil) {
  Weights<T> weights;
  if (!stencil.min_valid) return weights;
  weights.wanted = true;
  T all = 0;
  if (stencil.method == Method::separable) {
    weights.mixed = has_both_signs(stencil.column) || has_both_signs(stencil.row) ||
                    has_both_signs(stencil.plane);
    weights.total = sum(stencil.plane, stencil.column, stencil.row);
    all = sum(absolute(stencil.plane), absolute(stencil.column), absolute(stencil.row));
  } else {
    weights.mixed = has_both_signs(stencil.taps);
    weights.total = sum(stencil.taps);
    all = sum(absolute(stencil.taps));
  }
  weights.threshold = T(*stencil.min_valid * double(all));
  return weights;
}

template Weights<float> make_weights(const Stencil<float>&);
template Weights<double> make_weights(const Stencil<double>&);

}  // namespace stencil::cpu
