#include "kernels/cpu/fft_tile_valid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace stencil::cpu {
namespace {

/// Share of the mask's weight below which outputs are summed directly.
constexpr double least_share = 1.0 / 32;

/// Eps of the mask's weight by which a transform of ones and zeros may be off: nine times the most
/// that was measured (docs/measurements/missing_points.md).
constexpr double most_eps = 64;

}  // namespace

/// The mask's total without the roundings of a walk (Weights), which transforms do not have.
template <class T>
FftTileValid<T>::FftTileValid(const Stencil<T>& stencil) : tiles_(stencil.fft_tiles->tiles) {
  const double total = std::accumulate(stencil.taps.begin(), stencil.taps.end(), 0.0),
               all = std::abs(total);
  total_ = T(total);
  threshold_ = T(stencil.min_valid.value_or(0) * all);
  tolerance_ = T(most_eps * std::numeric_limits<T>::epsilon() * all);
  least_ = T(least_share * all);
  tells_little_ = threshold_ < least_;
}

/// Sums of columns first, which lose a row and gain one from row to row.
template <class T>
void FftTileValid<T>::count(const T* marks, Index pitch, int* counts) const {
  const Index height = tiles_.y.width, width = tiles_.x.width, columns = tiles_.x.outputs();
  std::vector<int> in_column(columns + width - 1);
  const auto add = [&](Index row, int sign) {
    const T* of_row = marks + row * pitch;
    for (Index x = 0; x < Index(in_column.size()); ++x) in_column[x] += of_row[x] != 0 ? sign : 0;
  };
  for (Index row = 0; row < height - 1; ++row) add(row, 1);
  for (Index y = 0; y < tiles_.y.outputs(); ++y) {
    add(y + height - 1, 1);
    int under = 0;
    for (Index x = 0; x < width - 1; ++x) under += in_column[x];
    for (Index x = 0; x < columns; ++x) {
      under += in_column[x + width - 1];
      counts[y * columns + x] = under;
      under -= in_column[x];
    }
    add(y, -1);
  }
}

template <class T>
void FftTileValid<T>::rescale(const RowKernels<T>& kernels, T* sums, T* shares, const int* counts,
                              unsigned char* asked, Index cell) const {
  const Index columns = tiles_.x.outputs();
  const int all = int(tiles_.y.width * tiles_.x.width);
  for (Index first = 0, k = 0; first < columns; first += cell, ++k) {
    int unsure = 0;
    for (Index x = first; x < std::min(columns, first + cell); ++x) {
      const T share = std::abs(shares[x]);
      const bool some = counts[x] > 0 && counts[x] < all;
      const bool near = std::abs(share - threshold_) <= tolerance_;
      unsure |= int(some) & (int(near) | (int(tells_little_) & int(share < least_)));
      shares[x] = counts[x] == all ? total_ : counts[x] == 0 ? T(0) : shares[x];
    }
    asked[k] = asked[k] != 0 || unsure != 0 ? 1 : 0;
  }
  kernels.rescale_row(sums, shares, nullptr, total_, threshold_, false, sums, columns);
}

template class FftTileValid<float>;
template class FftTileValid<double>;

}  // namespace stencil::cpu
