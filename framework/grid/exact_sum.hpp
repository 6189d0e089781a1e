#pragma once

#include <array>
#include <span>

#include "framework/grid/shape.hpp"

namespace stencil {

/// The exact sum of any number of float64 values, rounded once at the end to the nearest float64.
/// The result does not depend on the order of the values, nor on how they are divided between
/// threads and ranks. This is the small superaccumulator of R. M. Neal, Fast exact summation using
/// small and large superaccumulators, 2015, arXiv:1505.05571: a fixed-point number that is wide
/// enough for every float64, with digits of 32 bits whose carries are delayed.
class ExactSum {
 public:
  /// 66 digits reach from the least to the largest float64, and two more hold what 2^63 values can
  /// add. Then there are the numbers of values that are NaN, infinity and -infinity.
  static constexpr int digits = 68, words = digits + 3;

  void add(double value);
  /// Adds the exact square, rounded to a multiple of the least float64.
  void add_square(double value);
  void add(const ExactSum& other);

  /// As integers, whose sums over ranks are the words of the sum of all values; up to 2^31 ranks.
  const std::array<Index, words>& normalized();
  /// Sets what normalized() has returned, or sums of it.
  void set(std::span<const Index, words> summed);

  /// The sum, rounded to the nearest float64, halfway cases to the even one; infinite if it is
  /// above the largest. NaN if a value was NaN, or if there were infinities of both signs. 0
  /// without values.
  double value() const;

 private:
  static constexpr Index most_pending = Index{1} << 30;  // values that fit without carrying

  void carry();

  std::array<Index, words> words_{};  ///< the lowest digit first
  Index pending_ = 0;                 ///< values since the last carry
};

}  // namespace stencil
