#pragma once

#include <array>
#include <limits>

#include "framework/device/field_view.hpp"

namespace stencil {

/// Statistics of points. The statistics of several parts of a world can be added in any order; the
/// sum equals the statistics of the whole exactly.
struct PointFacts {
  Index nans = 0, infinities = 0;
  /// Smallest and largest finite point; least > greatest if no point is finite.
  double least = std::numeric_limits<double>::infinity(),
         greatest = -std::numeric_limits<double>::infinity();
  /// Largest difference from the earlier points. The difference is infinite if a point is finite at
  /// only one of the two times. A point that is NaN at both times, or the same infinity at both
  /// times, contributes 0.
  double change = 0;

  Index nonfinite() const { return nans + infinities; }
  PointFacts& operator+=(const PointFacts& other);
};

/// Returns the statistics of points.
///
/// @param points  points in host memory
/// @param before  the same points at an earlier time, of the same extent, in host memory; if its
///                data is null, `change` remains 0
template <class T>
PointFacts facts_of(FieldView<const T> points, FieldView<const T> before);

/// A sum of squares of numbers of at most 1, in units of 2^-60. It is stored as three integers that
/// can be added and sent without rounding, so the sum has the same bits in any order.
struct SquareSum {
  std::array<Index, 3> limbs{};  ///< each limb sums 20 bits of every square, limb 0 the lowest 20
                                 ///< bits

  SquareSum& operator+=(const SquareSum& other);
  double value() const;
};

/// Returns the sum of squares of the differences from the earlier points, divided by `scale`, which
/// is the largest difference, finite and above 0.
template <class T>
SquareSum squares_of_change(FieldView<const T> points, FieldView<const T> before, double scale);

extern template PointFacts facts_of(FieldView<const float>, FieldView<const float>);
extern template PointFacts facts_of(FieldView<const double>, FieldView<const double>);
extern template SquareSum squares_of_change(FieldView<const float>, FieldView<const float>, double);
extern template SquareSum squares_of_change(FieldView<const double>, FieldView<const double>,
                                            double);

}  // namespace stencil
