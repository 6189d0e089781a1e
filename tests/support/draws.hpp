// Random chains and inputs for tests that compare two implementations.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::testing {

/// A generator that draws the same numbers on every rank.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  /// A whole number from `low` to `high`, both included.
  Index pick(Index low, Index high) { return std::uniform_int_distribution(low, high)(engine_); }
  /// True with a probability of 1 / `of`.
  bool chance(int of) { return pick(1, of) == 1; }
  template <class T>
  T any_of(const std::vector<T>& choices) {
    return choices[static_cast<std::size_t>(pick(0, std::ssize(choices) - 1))];
  }
  /// Numbers between -1.25 and 1.875 that float32 represents exactly.
  std::vector<double> taps(Index count) {
    std::vector<double> values;
    for (Index k = 0; k < count; ++k) values.push_back(double(pick(-40, 60)) / 32);
    return values;
  }

 private:
  std::mt19937 engine_;
};

/// An input between -0.4 and 0.6 for every global index. If `has_gaps`, about one point in fifty is
/// missing.
inline double value_at(bool has_gaps, Index b, Index y, Index x) {
  const auto mixed = static_cast<std::uint32_t>((b * 7919 + y) * 104729 + x) * 2654435761u;
  if (has_gaps && mixed % 53 == 0) return std::numeric_limits<double>::quiet_NaN();
  return double(mixed >> 8) / double(1 << 24) - 0.4;
}

}  // namespace stencil::testing
