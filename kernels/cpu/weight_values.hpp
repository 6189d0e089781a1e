#pragma once

namespace stencil::cpu {

/// Sums of all taps, with which the sums of the taps on valid points are compared for
/// renormalization. The taps are added in the order of the walk, so that both sums have the same
/// bits for an output without missing points.
template <class T>
struct Weights {
  bool wanted = false;
  bool mixed = false;  ///< there are taps of both signs, so sum of |M| differs from |sum of M|
  T total = 0;         ///< sum of M
  T threshold = 0;     ///< min_valid times the sum of |M|

  /// Returns whether a renormalized sum without missing points equals the ordinary sum. Returns
  /// false if the taps sum to 0, because the renormalized sum is then NaN.
  bool keep_whole() const { return total < 0 || total > 0; }
};

}  // namespace stencil::cpu
