#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace stencil {

/// A floating-point number of 16 bits: a sign, the exponent, and the fraction. The type only stores
/// and converts numbers. In expressions a number becomes a float, which can represent every number
/// of 16 bits.
///
/// Numbers are rounded to the nearest, ties to even, as IEEE 754 prescribes: numbers beyond the
/// range become infinite, numbers smaller than the normal numbers lose digits, and NaN stays NaN.
/// All conversions are free of branches, so that compilers vectorize loops of them.
template <int exponent_bits>
class ShortFloat {
 public:
  static constexpr int fraction_bits = 15 - exponent_bits;
  static constexpr std::uint16_t infinity_bits = 0x7fff >> fraction_bits << fraction_bits;

  ShortFloat() = default;
  explicit ShortFloat(float value) : bits_(rounded(value)) {}
  explicit ShortFloat(double value) : ShortFloat(to_odd(value)) {}
  explicit ShortFloat(std::integral auto value) : ShortFloat(static_cast<double>(value)) {}

  static ShortFloat from_bits(std::uint16_t bits) {
    ShortFloat number;
    number.bits_ = bits;
    return number;
  }
  std::uint16_t bits() const { return bits_; }
  bool is_infinite() const { return (bits_ & 0x7fff) == infinity_bits; }
  /// Returns whether the number is 0 or subnormal, that is, has fewer digits than larger numbers.
  bool is_below_normal() const { return (bits_ & 0x7fff) < 1 << fraction_bits; }

  operator float() const {
    const std::uint32_t sign = std::uint32_t{bits_} << 16 & 0x80000000;
    if constexpr (exponent_bits == 8) return std::bit_cast<float>(std::uint32_t{bits_} << 16);
    const std::uint32_t shifted = (std::uint32_t{bits_} & 0x7fff) << dropped;
    constexpr std::uint32_t all_ones = std::uint32_t{infinity_bits} << dropped;
    const std::uint32_t exponent = shifted & all_ones;
    const std::uint32_t normal = shifted + (bias_difference << 23);
    // below the normal numbers: the fraction as a number between 2^-14 and 2^-13, minus 2^-14
    const auto below =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(normal + (1u << 23)) -
                                     std::bit_cast<float>((bias_difference + 1) << 23));
    const std::uint32_t beyond = normal + (bias_difference << 23);  // infinite, or NaN
    const std::uint32_t finite = chosen(exponent == 0, below, normal);
    return std::bit_cast<float>(sign | chosen(exponent == all_ones, beyond, finite));
  }

 private:
  static constexpr std::uint32_t float_infinity = 0xffu << 23;
  /// Number of bits by which the fraction of a float is longer than the fraction of this type.
  static constexpr int dropped = 23 - fraction_bits;
  static constexpr std::uint32_t bias_difference = 127 - ((1 << (exponent_bits - 1)) - 1);

  /// `condition ? a : b`, which compilers do not turn into a branch around the floating-point
  /// operations for `a`.
  static std::uint32_t chosen(bool condition, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t mask = 0 - std::uint32_t{condition};
    return (a & mask) | (b & ~mask);
  }

  static std::uint16_t rounded(float value) {
    const auto all = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = all & 0x7fffffff;
    const std::uint32_t half = (1u << (dropped - 1)) - 1 + (size >> dropped & 1);
    std::uint32_t number = (size - (bias_difference << 23) + half) >> dropped;
    if constexpr (exponent_bits < 8) {
      // The value is added to a number whose last digit has the place value of the last digit of
      // the subnormal numbers. The sum is therefore rounded to this digit.
      constexpr std::uint32_t unit = (bias_difference + dropped + 1) << 23;
      const std::uint32_t below =
          std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + std::bit_cast<float>(unit)) -
          unit;
      number = chosen(size < (bias_difference + 1) << 23, below, number);
      number = chosen(number > infinity_bits || size >= float_infinity, infinity_bits, number);
    }
    number = chosen(size > float_infinity, infinity_bits | 1u << (fraction_bits - 1), number);
    return static_cast<std::uint16_t>((all >> 16 & 0x8000) | number);
  }

  /// Returns `value` if it is a float; otherwise, of its two neighbouring floats, the float whose
  /// last bit is 1. Rounding the result to 16 bits gives the same number as rounding `value`
  /// directly.
  static float to_odd(double value) {
    const auto near = static_cast<float>(value);
    const auto bits = std::bit_cast<std::uint32_t>(near);
    const double size = value < 0 ? -value : value;
    const double of_near = near < 0 ? -double{near} : double{near};
    const std::uint32_t towards_zero = bits - (of_near > size ? 1 : 0);
    const bool is_changed = of_near != size && (bits & 0x7fffffff) < float_infinity;
    return std::bit_cast<float>(is_changed ? towards_zero | 1 : bits);
  }

  std::uint16_t bits_ = 0;
};

using Float16 = ShortFloat<5>;   ///< binary16 of IEEE 754, NumPy's float16
using BFloat16 = ShortFloat<8>;  ///< the upper half of a float

template <class T>
inline constexpr bool is_short_float = std::same_as<T, Float16> || std::same_as<T, BFloat16>;

/// Like std::is_floating_point_v, but also true for floating-point numbers of 16 bits.
template <class T>
inline constexpr bool is_floating_point = std::is_floating_point_v<T> || is_short_float<T>;

}  // namespace stencil

namespace std {
template <int exponent_bits>
class numeric_limits<stencil::ShortFloat<exponent_bits>> {
  using Number = stencil::ShortFloat<exponent_bits>;

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false;
  static constexpr int digits = Number::fraction_bits + 1;
  static Number max() { return Number::from_bits(Number::infinity_bits - 1); }
  static Number lowest() { return Number::from_bits(0x8000 | (Number::infinity_bits - 1)); }
  static Number infinity() { return Number::from_bits(Number::infinity_bits); }
  static Number quiet_NaN() {
    return Number::from_bits(Number::infinity_bits | 1 << (Number::fraction_bits - 1));
  }
};
}  // namespace std
