#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "io/hdf5/short_float.hpp"

namespace stencil {

/// A number from a file or the configuration, stored exactly: a double cannot distinguish
/// neighbouring 64-bit integers beyond 2^53.
class ElementValue {
 public:
  ElementValue() = default;

  /// Converts any arithmetic type. The constructor is implicit, so that plain numbers can be passed
  /// as values.
  template <class Number>
  requires std::is_arithmetic_v<Number> ElementValue(Number number) {
    if constexpr (std::is_floating_point_v<Number>)
      value_ = static_cast<double>(number);
    else if (std::in_range<std::int64_t>(number))
      value_ = static_cast<std::int64_t>(number);
    else
      value_ = static_cast<std::uint64_t>(number);
  }

  /// A number of 16 bits.
  template <int exponent_bits>
  ElementValue(ShortFloat<exponent_bits> number) : ElementValue(static_cast<float>(number)) {}

  /// Calls `f` with the number as double, std::int64_t or std::uint64_t.
  template <class F>
  decltype(auto) visit(F&& f) const {
    return std::visit(std::forward<F>(f), value_);
  }

  bool is_nan() const {
    return std::holds_alternative<double>(value_) && to_double() != to_double();
  }

  /// Returns the nearest double.
  double to_double() const { return as<double>(); }

  /// Returns whether `Element` can represent the value: integer types exactly; floating-point types
  /// after rounding to the nearest, unless a finite value becomes infinite.
  template <class Element>
  bool holds() const {
    return visit([](auto number) {
      using Number = decltype(number);
      if constexpr (is_short_float<Element>) {
        return !std::isfinite(static_cast<double>(number)) || !Element(number).is_infinite();
      } else if constexpr (std::is_floating_point_v<Element>) {
        const double wide = static_cast<double>(number);
        return !std::isfinite(wide) ||
               std::abs(wide) <= double{std::numeric_limits<Element>::max()};
      } else if constexpr (std::is_integral_v<Number>) {
        return std::in_range<Element>(number);
      } else {
        const double low = static_cast<double>(std::numeric_limits<Element>::min());
        const double beyond = std::ldexp(1.0, std::numeric_limits<Element>::digits);
        return number >= low && number < beyond && number == std::trunc(number);
      }
    });
  }

  /// Returns the value converted to `Element`. @pre holds<Element>()
  template <class Element>
  Element as() const {
    return visit([](auto number) { return static_cast<Element>(number); });
  }

  /// Returns whether both are the same number, regardless of type; false if one is NaN. The
  /// operator is defined here, so that compilers consider it only for an ElementValue, not for
  /// types that convert to float.
  friend bool operator==(const ElementValue& a, const ElementValue& b) { return a.equals(b); }

 private:
  bool equals(const ElementValue& other) const;

  std::variant<double, std::int64_t, std::uint64_t> value_;
};

/// Returns the shortest text from which the value can be read back exactly.
std::string to_string(const ElementValue& value);

/// Parses a number: `-999`, `18446744073709551615`, `1e20`, `nan`, `-inf`. Integers of up to 64
/// bits are kept exactly; other numbers become the nearest double.
///
/// @throws WordsError  the text is not a number
ElementValue parse_element_value(const std::string& text);

}  // namespace stencil
