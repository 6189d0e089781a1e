#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "framework/device/field.hpp"
#include "kernels/cpu/convolve_cpu.hpp"
#include "kernels/reference/convolve_reference.hpp"

namespace stencil::testing {

/// Points `[batch, y, x]` inside a larger array: rows are longer than the extent, and guards lie
/// before, between and after them, so that writes outside the points are detected.
template <class T>
class Grid {
 public:
  Grid(const Point& extent, T guard, Index padding = 7)
      : extent_(extent),
        row_pitch_(extent[2] + padding),
        batch_pitch_(row_pitch_ * (extent[1] + 2)),
        offset_(row_pitch_ + 3),
        guard_(guard),
        values_(std::size_t(batch_pitch_ * extent[0] + 2 * offset_), guard) {}

  FieldView<T> view() { return {values_.data() + offset_, extent_, batch_pitch_, row_pitch_}; }
  FieldView<const T> read() const {
    return {values_.data() + offset_, extent_, batch_pitch_, row_pitch_};
  }

  /// Sets every point to `place(b, y, x)`.
  template <class Place>
  Grid& set(const Place& place) {
    for (Index b = 0; b < extent_[0]; ++b)
      for (Index y = 0; y < extent_[1]; ++y)
        for (Index x = 0; x < extent_[2]; ++x) view().at(b, y, x) = T(place(b, y, x));
    return *this;
  }

  /// All elements, including guards.
  std::vector<T>& storage() { return values_; }

  /// True if every element outside of the points is still equal to the guard, bit by bit.
  bool guards_untouched() const {
    std::vector<T> copy = values_;
    FieldView<T> inside{copy.data() + offset_, extent_, batch_pitch_, row_pitch_};
    for (Index b = 0; b < extent_[0]; ++b)
      for (Index y = 0; y < extent_[1]; ++y)
        for (Index x = 0; x < extent_[2]; ++x) inside.at(b, y, x) = guard_;
    const std::vector<T> all_guard(values_.size(), guard_);
    return std::memcmp(copy.data(), all_guard.data(), copy.size() * sizeof(T)) == 0;
  }

  /// The points in row-major order.
  std::vector<T> points_of() const {
    std::vector<T> list;
    for (Index b = 0; b < extent_[0]; ++b)
      for (Index y = 0; y < extent_[1]; ++y)
        for (Index x = 0; x < extent_[2]; ++x) list.push_back(read().at(b, y, x));
    return list;
  }

 private:
  Point extent_;
  Index row_pitch_, batch_pitch_, offset_;
  T guard_;
  std::vector<T> values_;
};

/// Extent of the inputs for outputs of `extent`.
template <class T>
Point inputs_for(const Stencil<T>& stencil, const Point& extent) {
  return {(extent[0] - 1) * stencil.plane_stride + stencil.depth,
          (extent[1] - 1) * stencil.stride[0] + stencil.height,
          (extent[2] - 1) * stencil.stride[1] + stencil.width};
}

/// A mask with taps drawn from `draw`: a full mask, or an outer product.
template <class Draw>
Mask drawn_mask(Index height, Index width, bool outer, Draw draw) {
  const auto list = [&](Index n) {
    std::vector<double> taps(n);
    for (double& tap : taps) tap = draw();
    return taps;
  };
  if (outer) {
    std::vector<double> column = list(height), row = list(width);
    return Mask::outer(column, row);
  }
  return Mask::grid(list(height * width), height, width);
}

/// A mask that is a sum of outer products, with factors drawn from `draw`.
template <class Draw>
Mask drawn_sum(Index height, Index width, Index terms, Draw draw) {
  Factors factors{{}, {}, terms};
  for (Index n = 0; n < terms * height; ++n) factors.column.push_back(draw());
  for (Index n = 0; n < terms * width; ++n) factors.row.push_back(draw());
  Taps taps{height, width, std::vector<double>(std::size_t(height * width))};
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x)
      for (Index k = 0; k < terms; ++k)
        taps.values[y * width + x] += factors.column[k * height + y] * factors.row[k * width + x];
  Mask mask = Mask::grid(std::move(taps));
  mask.factors = std::move(factors);
  mask.multiply_zeros = true;
  return mask;
}

/// The error bound that every walk promises: (2w + 4) eps sum|M| max|N|.
template <class T>
double error_bound(const Stencil<T>& stencil, FieldView<const T> source) {
  double absolute = 0, most = 0;
  for (const T tap : stencil.taps) absolute += std::abs(double(tap));
  for (Index b = 0; b < source.extent[0]; ++b)
    for (Index y = 0; y < source.extent[1]; ++y)
      for (Index x = 0; x < source.extent[2]; ++x) {
        const double value = std::abs(double(source.at(b, y, x)));
        if (std::isfinite(value)) most = std::max(most, value);
      }
  const double w = double(stencil.depth * stencil.height * stencil.width);
  return (2 * w + 4) * double(std::numeric_limits<T>::epsilon()) * absolute * most;
}

/// sum_k |column_k| |row_k| of a separable stencil.
template <class T>
double factors_weight(const Stencil<T>& stencil) {
  double sum = 0;
  for (Index k = 0; k < stencil.terms; ++k) {
    double down = 0, across = 0;
    for (Index j = 0; j < stencil.height; ++j)
      down += std::abs(double(stencil.column[k * stencil.height + j]));
    for (Index i = 0; i < stencil.width; ++i)
      across += std::abs(double(stencil.row[k * stencil.width + i]));
    sum += down * across;
  }
  return sum;
}

/// The outputs of `convolve_cpu`, whose guards are checked, and of the reference.
template <class T>
struct Both {
  std::vector<T> cpu;
  std::vector<double> reference;
  bool guards_untouched = false;
};

template <class T>
Both<T> compute_both(const Stencil<T>& stencil, const Grid<T>& source, const Point& extent) {
  Grid<T> cpu(extent, T(-12345.5), 5);
  Grid<double> reference(extent, 0);
  convolve_cpu<T>(stencil, source.read(), cpu.view());
  convolve_reference<T>(stencil, source.read(), reference.view());
  return {cpu.points_of(), reference.points_of(), cpu.guards_untouched()};
}

}  // namespace stencil::testing
