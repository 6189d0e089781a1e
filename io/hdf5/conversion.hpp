#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil::storage {

/// The missing values of a file in its own element type.
template <class From>
struct MissingMatch {
  std::vector<From> values;
  bool nan = false;

  /// Values that the type cannot hold can never stand in the file and are left out.
  explicit MissingMatch(const std::vector<ElementValue>& wanted) {
    for (const ElementValue& value : wanted) {
      if (value.is_nan())
        nan = true;
      else if (value.holds<From>())
        values.push_back(value.as<From>());
    }
  }
  bool any() const { return nan || !values.empty(); }
};

/// Converts n points that were read. @returns how many of them were missing
template <class From, class To>
Index convert_read(const From* from, To* to, Index n, const MissingMatch<From>& missing,
                   To replacement) {
  if (!missing.any()) {
    for (Index i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
    return 0;
  }
  Index found = 0;
  for (Index i = 0; i < n; ++i) {
    const From value = from[i];
    bool is_missing = missing.nan && value != value;
    for (const From& wanted : missing.values) is_missing |= value == wanted;
    to[i] = is_missing ? replacement : static_cast<To>(value);
    found += is_missing;
  }
  return found;
}

/// Counts of points as they are written.
struct WriteCounts {
  Index saturated = 0, missing = 0;
  Index vanished = 0;  ///< not 0, and 0 as an integer

  WriteCounts& operator+=(const WriteCounts& other) {
    saturated += other.saturated;
    missing += other.missing;
    vanished += other.vanished;
    return *this;
  }
  friend WriteCounts operator-(const WriteCounts& a, const WriteCounts& b) {
    return {a.saturated - b.saturated, a.missing - b.missing, a.vanished - b.vanished};
  }
};

/// Rounds half to even, whatever the instruction set, for finite values.
inline double round_half_even(double value) {
  constexpr double whole = 6755399441055744.0;  // 1.5 * 2^52: sums with it have no fraction
  return std::abs(value) < 2251799813685248.0 ? (value + whole) - whole : std::nearbyint(value);
}

/// Values that points of the output may take.
template <class To>
struct OutputRange {
  To missing{};  ///< stands for NaN
  To low = std::numeric_limits<To>::lowest(), high = std::numeric_limits<To>::max();

  /// A missing value at an end of the type's range is kept for missing points: values beyond the
  /// range stop one step short of it, else they would read as missing.
  explicit OutputRange(const std::optional<ElementValue>& value) {
    if constexpr (std::is_floating_point_v<To>) {
      missing = value ? value->as<To>() : std::numeric_limits<To>::quiet_NaN();
    } else if (value) {
      missing = value->as<To>();
      if (missing == low) ++low;
      if (missing == high) --high;
    }
  }
};

/// Converts n points to the type of the output: integers are rounded half to even and saturated,
/// NaN becomes the missing value.
template <class From, class To>
void convert_written(const From* from, To* to, Index n, const OutputRange<To>& range,
                     WriteCounts& counts) {
  Index saturated = 0, lost = 0, vanished = 0;
  if constexpr (std::is_floating_point_v<To>) {
    for (Index i = 0; i < n; ++i) {
      const bool is_nan = from[i] != from[i];
      lost += is_nan;
      to[i] = is_nan ? range.missing : static_cast<To>(from[i]);
    }
  } else {
    using Limits = std::numeric_limits<To>;
    const double low = static_cast<double>(Limits::min()), beyond = std::ldexp(1.0, Limits::digits);
    for (Index i = 0; i < n; ++i) {
      const double value = round_half_even(static_cast<double>(from[i]));
      if (value >= low && value < beyond) {
        const To whole = static_cast<To>(value);
        to[i] = std::clamp(whole, range.low, range.high);
        saturated += to[i] != whole;
        vanished += to[i] == 0 && from[i] != 0;
      } else if (value != value) {
        to[i] = range.missing;
        ++lost;
      } else {
        to[i] = value < low ? range.low : range.high;
        ++saturated;
      }
    }
  }
  counts.saturated += saturated;
  counts.missing += lost;
  counts.vanished += vanished;
}

}  // namespace stencil::storage
