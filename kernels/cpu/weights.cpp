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

/// The column pass over rows that all hold the sum of the row factor.
template <class T>
T sum(const std::vector<T>& column, const std::vector<T>& row) {
  const T across = sum(row);
  T result = 0;
  for (const T tap : column) result = std::fma(tap, across, result);
  return result;
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
    weights.mixed = has_both_signs(stencil.column) || has_both_signs(stencil.row);
    weights.total = sum(stencil.column, stencil.row);
    all = sum(absolute(stencil.column), absolute(stencil.row));
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
