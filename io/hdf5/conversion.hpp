#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/hdf5/short_float.hpp"

namespace stencil::storage {

/// The numbers of a file that are treated as missing, in the number type of the file.
template <class From>
struct MissingMatch {
  std::vector<From> values;
  bool nan = false;
  bool has_range = false;  ///< numbers outside `[low, high]` are missing
  /// Type of a limit. A limit may lie between two neighbouring floating-point numbers of 16 bits,
  /// so for these types the limit is a float.
  using Limit = std::conditional_t<is_short_float<From>, float, From>;
  Limit low = std::numeric_limits<Limit>::lowest(), high = std::numeric_limits<Limit>::max();

  MissingMatch() = default;
  /// Values that the number type cannot represent are ignored, because they never occur in the
  /// file.
  ///
  /// @param lowest, highest  the valid range, both ends included; std::nullopt if there is no limit
  explicit MissingMatch(const std::vector<ElementValue>& wanted,
                        const std::optional<ElementValue>& lowest = {},
                        const std::optional<ElementValue>& highest = {}) {
    for (const ElementValue& value : wanted) {
      if (value.is_nan())
        nan = true;
      else if (value.holds<From>() && !is_among(value.as<From>()))
        values.push_back(value.as<From>());
    }
    if (lowest) limit(*lowest, true);
    if (highest) limit(*highest, false);
  }
  bool any() const { return nan || has_range || !values.empty(); }
  bool operator()(From value) const {
    return (nan && value != value) || (has_range && (value < low || value > high)) ||
           is_among(value);
  }

 private:
  bool is_among(From value) const {
    bool is_one = false;
    for (const From& one : values) is_one |= value == one;
    return is_one;
  }
  /// Sets one end of the valid range. The limit may lie between two numbers of the type, or beyond
  /// all of them.
  void limit(const ElementValue& value, bool is_low) {
    Limit& end = is_low ? low : high;
    if (value.is_nan()) return;
    const double limit =
        // the nearest integer inside the range
        is_low ? std::ceil(value.to_double()) : std::floor(value.to_double());
    const ElementValue whole(limit);
    if (value.holds<Limit>()) {
      end = value.as<Limit>();
    } else if (std::is_integral_v<From> && whole.holds<Limit>()) {
      end = whole.as<Limit>();
    } else if (is_low == (limit > 0)) {  // no number is valid
      low = std::numeric_limits<Limit>::max(), high = std::numeric_limits<Limit>::lowest();
    } else {
      return;
    }
    has_range = true;
  }
};

/// Implements convert_read().
/// @param is_missing  returns whether a number is missing
/// @param value_of    returns the value of a valid number
template <class From, class To, class IsMissing, class ValueOf>
Index convert_valid(const From* from, To* to, Index n, To replacement, const IsMissing& is_missing,
                    const ValueOf& value_of) {
  Index found = 0;
  for (Index i = 0; i < n; ++i) {
    const bool is_left_out = is_missing(from[i]);
    to[i] = is_left_out ? replacement : value_of(from[i]);
    found += is_left_out;
  }
  return found;
}

/// Converts n numbers that were read to values; missing numbers become `replacement`. @returns the
/// number of missing numbers
/// @param value_of  computes a value of type To from a number
template <class From, class To, class ValueOf>
Index convert_read(const From* from, To* to, Index n, const MissingMatch<From>& missing,
                   To replacement, const ValueOf& value_of) {
  if (!missing.any()) {
    for (Index i = 0; i < n; ++i) to[i] = value_of(from[i]);
    return 0;
  }
  const auto convert = [&](const auto& is_missing) {
    return convert_valid(from, to, n, replacement, is_missing, value_of);
  };
  if (missing.has_range || missing.values.size() > 1) return convert(missing);
  if (missing.values.empty()) return convert([](From number) { return number != number; });
  // a comparison with one number takes half the time of a search
  const From one = missing.values.front();
  if (missing.nan) return convert([=](From number) { return number == one || number != number; });
  return convert([=](From number) { return number == one; });
}

/// Like convert_read(), but a number is also missing if the element of `to` with the same index is
/// NaN before the call.
template <class From, class To, class ValueOf>
Index convert_marked(const From* from, To* to, Index n, const MissingMatch<From>& missing,
                     To replacement, const ValueOf& value_of) {
  Index found = 0;
  for (Index i = 0; i < n; ++i) {
    const bool is_left_out = to[i] != to[i] || missing(from[i]);
    to[i] = is_left_out ? replacement : value_of(from[i]);
    found += is_left_out;
  }
  return found;
}

/// Like convert_read() with `value_of`, for numbers that are themselves the values.
template <class From, class To>
Index convert_read(const From* from, To* to, Index n, const MissingMatch<From>& missing,
                   To replacement) {
  return convert_read(from, to, n, missing, replacement,
                      [](From number) { return static_cast<To>(number); });
}

/// Counts of written points that were saturated, missing or rounded to 0.
struct WriteCounts {
  Index saturated = 0;  ///< out of range of the type; for floating-point types: finite, but written
                        ///< as infinite
  Index missing = 0;
  /// Values other than 0 that were written as the integer 0 or as 0 in 16 bits.
  Index vanished = 0;

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

/// Rounds a finite value to the nearest integer, ties to even. The result does not depend on the
/// instruction set.
inline double round_half_even(double value) {
  constexpr double whole = 6755399441055744.0;  // 1.5 * 2^52: a double of this size has no fraction
  return std::abs(value) < 2251799813685248.0 ? (value + whole) - whole : std::nearbyint(value);
}

/// The values that points of the output can have.
template <class To>
struct OutputRange {
  To missing{};  ///< written for NaN
  To low = std::numeric_limits<To>::lowest(), high = std::numeric_limits<To>::max();

  /// If the missing value is an end of the type's range, this number is reserved for missing
  /// points: values out of range are clipped to the neighbouring number, so that readers do not
  /// treat them as missing.
  explicit OutputRange(const std::optional<ElementValue>& value) {
    if constexpr (is_floating_point<To>) {
      missing = value ? value->as<To>() : std::numeric_limits<To>::quiet_NaN();
    } else if (value) {
      missing = value->as<To>();
      if (missing == low) ++low;
      if (missing == high) --high;
    }
  }
};

/// Relation between the numbers of an integer output and its values (CF): value = number * scale +
/// offset.
struct Packing {
  double scale = 1, offset = 0;
  /// True if the computed numbers are stored without scaling. Otherwise the value of a computed
  /// number is computed * input_scale + input_offset, as in the packed input.
  bool as_computed = false;
  double input_scale = 1, input_offset = 0;

  double number(double computed) const {
    return (computed * input_scale + input_offset - offset) / scale;
  }
  bool operator==(const Packing&) const = default;
};

/// Implements convert_written(). @param number_of  returns the number that represents a computed
/// number in the output
template <class From, class To, class NumberOf>
void convert_numbers(const From* from, To* to, Index n, const OutputRange<To>& range,
                     WriteCounts& counts, const NumberOf& number_of) {
  Index saturated = 0, lost = 0, vanished = 0;
  if constexpr (is_short_float<To>) {
    for (Index i = 0; i < n; ++i) {
      const bool is_nan = from[i] != from[i];
      const To number(from[i]);
      lost += is_nan;
      saturated += number.is_infinite() && std::abs(from[i]) <= std::numeric_limits<From>::max();
      vanished += number.is_below_normal() && static_cast<float>(number) != from[i];
      to[i] = is_nan ? range.missing : number;
    }
  } else if constexpr (std::is_floating_point_v<To>) {
    for (Index i = 0; i < n; ++i) {
      const bool is_nan = from[i] != from[i];
      lost += is_nan;
      to[i] = is_nan ? range.missing : static_cast<To>(from[i]);
      if constexpr (sizeof(To) < sizeof(From))
        saturated += std::isinf(to[i]) && std::isfinite(from[i]);
    }
  } else {
    using Limits = std::numeric_limits<To>;
    const double low = static_cast<double>(Limits::min()), beyond = std::ldexp(1.0, Limits::digits);
    for (Index i = 0; i < n; ++i) {
      const double exact = number_of(static_cast<double>(from[i])), value = round_half_even(exact);
      if (value >= low && value < beyond) {
        const To whole = static_cast<To>(value);
        to[i] = std::clamp(whole, range.low, range.high);
        saturated += to[i] != whole;
        vanished += to[i] == 0 && exact != 0;
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

/// Converts n points to the output type. For integer types, numbers are packed, rounded (half to
/// even) and saturated, and NaN becomes the missing value. For floating-point types, values out of
/// range become infinite.
template <class From, class To>
void convert_written(const From* from, To* to, Index n, const OutputRange<To>& range,
                     WriteCounts& counts, const std::optional<Packing>& packing = {}) {
  if (packing && !packing->as_computed)
    convert_numbers(from, to, n, range, counts,
                    [&](double computed) { return packing->number(computed); });
  else
    convert_numbers(from, to, n, range, counts, [](double computed) { return computed; });
}

}  // namespace stencil::storage
