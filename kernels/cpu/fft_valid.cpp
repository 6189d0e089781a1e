#include "kernels/cpu/fft_valid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stencil::cpu {
namespace {

/// Share of the sum of absolute taps below which outputs are summed directly.
constexpr double least_share = 1.0 / 32;

/// Largest error of a transform of ones and zeros, in units of eps times the sum of absolute taps:
/// nine times the largest error that was measured (docs/measurements/missing_points.md).
constexpr double most_eps = 64;

}  // namespace

template <class T>
FftValid<T>::FftValid(const Stencil<T>& stencil)
    : wanted_(stencil.min_valid.has_value()),
      mixed_(make_weights(stencil).mixed),
      height_(stencil.fft ? 1 : stencil.height),
      width_(stencil.fft ? stencil.height * stencil.width : stencil.width) {
  double total = 0, weight = 0;
  for (const T tap : stencil.taps) {
    total += double(tap);
    weight += std::abs(double(tap));
  }
  total_ = T(total);
  weight_ = T(weight);
  threshold_ = T(stencil.min_valid.value_or(0) * weight);
  tolerance_ = T(most_eps * std::numeric_limits<T>::epsilon() * weight);
  least_ = T(least_share * weight);
}

/// The marks are first summed along columns. From one row of outputs to the next, each column sum
/// changes by two marks: one is added, one is subtracted.
template <class T>
void FftValid<T>::count(const T* marks, Index pitch, Index rows, Index columns, int* counts) const {
  const Index inputs = columns + width_ - 1;
  int* const in_column = counts + rows * columns;
  std::fill_n(in_column, inputs, 0);
  const auto add = [&](Index row, int sign) {
    const T* of_row = marks + row * pitch;
    for (Index x = 0; x < inputs; ++x) in_column[x] += of_row[x] != 0 ? sign : 0;
  };
  for (Index row = 0; row < height_ - 1; ++row) add(row, 1);
  for (Index y = 0; y < rows; ++y) {
    add(y + height_ - 1, 1);
    int under = 0;
    for (Index x = 0; x < width_ - 1; ++x) under += in_column[x];
    for (Index x = 0; x < columns; ++x) {
      under += in_column[x + width_ - 1];
      counts[y * columns + x] = under;
      under -= in_column[x];
    }
    add(y, -1);
  }
}

template <class T>
void FftValid<T>::rescale(const RowKernels<T>& kernels, T* sums, T* valid, T* shares,
                          const int* counts, Index columns, unsigned char* asked,
                          Index cell) const {
  const int all = int(height_ * width_);
  for (Index first = 0, k = 0; first < columns; first += cell, ++k) {
    int unsure = 0;
    for (Index x = first; x < std::min(columns, first + cell); ++x) {
      const T of_valid = std::abs(valid[x]), share = shares != nullptr ? shares[x] : of_valid;
      const bool some = counts[x] > 0 && counts[x] < all;
      const bool near = std::abs(share - threshold_) <= tolerance_;
      const bool little = share > threshold_ && of_valid < least_;
      unsure |= int(some) & (int(near) | int(little));
      valid[x] = counts[x] == all ? total_ : counts[x] == 0 ? T(0) : valid[x];
      if (shares != nullptr) shares[x] = counts[x] == all ? weight_ : counts[x] == 0 ? T(0) : share;
    }
    asked[k] = asked[k] != 0 || unsure != 0 ? 1 : 0;
  }
  kernels.rescale_row(sums, valid, shares, total_, threshold_, false, sums, columns);
}

template class FftValid<float>;
template class FftValid<double>;

}  // namespace stencil::cpu
