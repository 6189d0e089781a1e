#pragma once

#include <array>
#include <limits>

#include "framework/device/field_view.hpp"

namespace stencil {

/// Facts about points. The facts of several parts of a world can be added in any order and give
/// exactly those of the whole.
struct PointFacts {
  Index nans = 0, infinities = 0;
  /// Of the points that are finite; least > greatest where none is.
  double least = std::numeric_limits<double>::infinity(),
         greatest = -std::numeric_limits<double>::infinity();
  /// Largest difference from the earlier points. It is infinite if a point is finite in only one of
  /// the two; it is 0 for a point that is NaN in both, or the same infinity in both.
  double change = 0;

  Index nonfinite() const { return nans + infinities; }
  PointFacts& operator+=(const PointFacts& other);
};

/// @param points  in host memory
/// @param before  the same points earlier, of the same extent, in host memory; without
///                data `change` remains 0
template <class T>
PointFacts facts_of(FieldView<const T> points, FieldView<const T> before);

/// A sum of squares of numbers of at most 1, in units of 2^-60, as three numbers that can be added
/// and sent without rounding: the sum has the same bits in any order.
struct SquareSum {
  std::array<Index, 3> limbs{};  ///< of 20 bits each point, the lowest first

  SquareSum& operator+=(const SquareSum& other);
  double value() const;
};

/// The squares of the differences from the earlier points, divided by `scale`, which is the largest
/// of all differences, finite and above 0.
template <class T>
SquareSum squares_of_change(FieldView<const T> points, FieldView<const T> before, double scale);

extern template PointFacts facts_of(FieldView<const float>, FieldView<const float>);
extern template PointFacts facts_of(FieldView<const double>, FieldView<const double>);
extern template SquareSum squares_of_change(FieldView<const float>, FieldView<const float>, double);
extern template SquareSum squares_of_change(FieldView<const double>, FieldView<const double>,
                                            double);

}  // namespace stencil
