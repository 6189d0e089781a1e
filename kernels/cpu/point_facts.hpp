#pragma once

#include <array>
#include <limits>

#include "framework/device/field_view.hpp"

namespace stencil {

/// What a look at points finds. The facts of several parts of a world add up to those of the whole,
/// to the bit, in any order.
struct PointFacts {
  Index nans = 0, infinities = 0;
  /// Of the points that are finite; least > greatest where none is.
  double least = std::numeric_limits<double>::infinity(),
         greatest = -std::numeric_limits<double>::infinity();
  /// Largest difference from the points before. A point that is finite only now or only before
  /// differs infinitely; one that is NaN both times, or the same infinity, does not differ.
  double change = 0;

  Index nonfinite() const { return nans + infinities; }
  PointFacts& operator+=(const PointFacts& other);
};

/// @param points  in host memory
/// @param before  the same points earlier, of the same extent, in host memory; without data: change
///                stays 0
template <class T>
PointFacts facts_of(FieldView<const T> points, FieldView<const T> before);

/// A sum of squares of numbers of at most 1, in units of 2^-60, cut into three numbers that can be
/// added, and sent, without rounding: the sum is the same to the bit in any order.
struct SquareSum {
  std::array<Index, 3> limbs{};  ///< of 20 bits each point, the lowest first

  SquareSum& operator+=(const SquareSum& other);
  double value() const;
};

/// The squares of the differences from the points before, as shares of `scale`: the largest of all
/// differences, finite and above 0.
template <class T>
SquareSum squares_of_change(FieldView<const T> points, FieldView<const T> before, double scale);

extern template PointFacts facts_of(FieldView<const float>, FieldView<const float>);
extern template PointFacts facts_of(FieldView<const double>, FieldView<const double>);
extern template SquareSum squares_of_change(FieldView<const float>, FieldView<const float>, double);
extern template SquareSum squares_of_change(FieldView<const double>, FieldView<const double>,
                                            double);

}  // namespace stencil
