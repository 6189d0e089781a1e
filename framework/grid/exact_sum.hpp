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
  /// Number of digits: 66 cover the range from the least to the largest float64, and two more hold
  /// the carries of up to 2^63 values. Three words follow the digits: the numbers of values that
  /// are NaN, infinity and -infinity.
  static constexpr int digits = 68, words = digits + 3;

  void add(double value);
  /// Adds the square of a value. The square is exact, except that it is rounded to a multiple of
  /// the smallest positive float64.
  void add_square(double value);
  void add(const ExactSum& other);

  /// Returns the sum as an array of integers, called words. The words of up to 2^31 ranks may be
  /// added, each word separately. An object on which set() is called with these sums has the sum of
  /// the values of all ranks.
  const std::array<Index, words>& normalized();
  /// Replaces the sum by words that normalized() returned, or by sums of such words over ranks.
  void set(std::span<const Index, words> summed);

  /// Returns the sum, rounded to the nearest float64 (ties to even). Infinite if the sum is above
  /// the largest float64; NaN if a value was NaN or if there were infinities of both signs; 0 if no
  /// value was added.
  double value() const;

 private:
  static constexpr Index most_pending = Index{1} << 30;  // number of values that can be added
                                                         // before carries are needed

  void carry();

  std::array<Index, words> words_{};  ///< lowest digit first
  Index pending_ = 0;                 ///< number of values added since the last carry
};

}  // namespace stencil
