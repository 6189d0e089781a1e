#pragma once

namespace stencil::cpu {

/// The sums of the mask with which renormalizing compares the sums over valid points. They are
/// added in the order of the walk, so that an output without missing points has exactly these
/// values.
template <class T>
struct Weights {
  bool wanted = false;
  bool mixed = false;  ///< taps of both signs: the sum of |M| is summed on its own
  T total = 0;         ///< sum of M
  T threshold = 0;     ///< min_valid times the sum of |M|

  /// Whether a sum that misses nothing is the plain sum: it is NaN where the taps sum to 0.
  bool keep_whole() const { return total < 0 || total > 0; }
};

}  // namespace stencil::cpu
