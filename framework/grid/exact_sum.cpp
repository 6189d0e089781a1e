#include "framework/grid/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace stencil {
namespace {

constexpr int nan_count = ExactSum::digits, infinity_count = nan_count + 1,
              negative_infinity_count = nan_count + 2;
constexpr int digit_bits = 32;
constexpr Index digit_base = Index{1} << digit_bits;
constexpr int mantissa_bits = 52, largest_exponent = 0x7ff;
constexpr int least_exponent = -1074;  // exponent of the lowest bit of the lowest digit

/// Carries the part of each digit that exceeds 32 bits to the next digit. All digits except the
/// last are then within [0, 2^32).
void carry_all(std::array<Index, ExactSum::words>& words) {
  for (std::size_t k = 0; k + 1 < ExactSum::digits; ++k) {
    const Index carried = words[k] >> digit_bits;  // rounds towards -infinity
    words[k] -= carried * digit_base;
    words[k + 1] += carried;
  }
}

/// Rounds a non-negative number, given by its digits, to the nearest float64 (ties to even).
double rounded(const std::array<Index, ExactSum::words>& words) {
  int top = ExactSum::digits - 1;
  while (top >= 0 && words[static_cast<std::size_t>(top)] == 0) --top;
  if (top < 0) return 0;
  const auto digit = [&](int k) {
    return k < 0 ? std::uint64_t{0}
                 : static_cast<std::uint64_t>(words[static_cast<std::size_t>(k)]);
  };
  // 64 bits, the first of which is the highest bit that is set; they come from three digits
  const int length = static_cast<int>(std::bit_width(digit(top)));
  if (length > digit_bits) return std::numeric_limits<double>::infinity();
  std::uint64_t bits = digit(top) << digit_bits | digit(top - 1);
  const int shift = digit_bits - length;
  bits = shift == 0 ? bits : bits << shift | digit(top - 2) >> (digit_bits - shift);
  bool is_inexact = (digit(top - 2) << shift & (digit_base - 1)) != 0;
  for (int k = top - 3; k >= 0 && !is_inexact; --k) is_inexact = digit(k) != 0;
  // exponent of the lowest of these bits; bits below the least exponent are all 0
  const int exponent = least_exponent + digit_bits * (top - 1) - shift;
  const int dropped = 64 - (mantissa_bits + 1);
  if (exponent + dropped < least_exponent)
    return std::ldexp(static_cast<double>(bits >> (least_exponent - exponent)), least_exponent);
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1), rest = bits & (2 * half - 1);
  std::uint64_t kept = bits >> dropped;
  if (rest > half || (rest == half && (is_inexact || kept % 2 == 1))) ++kept;
  return std::ldexp(static_cast<double>(kept), exponent + dropped);
}

}  // namespace

void ExactSum::carry() {
  carry_all(words_);
  pending_ = 0;
}

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<int>(bits >> mantissa_bits & largest_exponent);
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  const bool is_negative = bits >> 63 != 0;
  if (exponent == largest_exponent) {
    ++words_[static_cast<std::size_t>(mantissa != 0 ? nan_count
                                      : is_negative ? negative_infinity_count
                                                    : infinity_count)];
    return;
  }
  if (exponent != 0) mantissa |= std::uint64_t{1} << mantissa_bits;
  const int place = exponent == 0 ? 0 : exponent - 1;
  const auto first = static_cast<std::size_t>(place / digit_bits);
  const int shift = place % digit_bits;
  const std::uint64_t above = mantissa >> (digit_bits - shift);  // `shift` is at most 31
  const Index parts[3]{static_cast<Index>(mantissa << shift & (digit_base - 1)),
                       static_cast<Index>(above & (digit_base - 1)),
                       static_cast<Index>(above >> digit_bits)};
  for (std::size_t k = 0; k < 3; ++k) words_[first + k] += is_negative ? -parts[k] : parts[k];
  if (++pending_ == most_pending) carry();
}

void ExactSum::add_square(double value) {
  const double square = value * value;
  add(square);
  if (std::isfinite(square)) add(std::fma(value, value, -square));
}

void ExactSum::add(const ExactSum& other) {
  carry();
  ExactSum carried = other;
  carried.carry();
  for (std::size_t k = 0; k < words; ++k) words_[k] += carried.words_[k];
  carry();
}

const std::array<Index, ExactSum::words>& ExactSum::normalized() {
  carry();
  return words_;
}

void ExactSum::set(std::span<const Index, words> summed) {
  for (std::size_t k = 0; k < words; ++k) words_[k] = summed[k];
  carry();
}

double ExactSum::value() const {
  const bool is_up = words_[infinity_count] > 0, is_down = words_[negative_infinity_count] > 0;
  if (words_[nan_count] > 0 || (is_up && is_down)) return std::numeric_limits<double>::quiet_NaN();
  if (is_up || is_down)
    return is_up ? std::numeric_limits<double>::infinity()
                 : -std::numeric_limits<double>::infinity();
  std::array<Index, words> all = words_;
  carry_all(all);
  if (all[digits - 1] >= 0) return rounded(all);
  for (Index& digit : all) digit = -digit;
  carry_all(all);
  return -rounded(all);
}

}  // namespace stencil
