#include "io/hdf5/element_value.hpp"

#include <fmt/core.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

/// Parses the whole text as one number of type Number.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return number;
}

template <class A, class B>
bool is_same(A a, B b) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B>)
    return std::cmp_equal(a, b);
  else if constexpr (std::is_floating_point_v<A> && std::is_floating_point_v<B>)
    return a == b;
  else if constexpr (std::is_floating_point_v<A>)
    return ElementValue(a).holds<B>() && static_cast<B>(a) == b;
  else
    return is_same(b, a);
}

}  // namespace

bool ElementValue::equals(const ElementValue& other) const {
  return visit([&](auto x) { return other.visit([&](auto y) { return is_same(x, y); }); });
}

std::string to_string(const ElementValue& value) {
  return value.visit([](auto number) { return fmt::format("{}", number); });
}

ElementValue parse_element_value(const std::string& text) {
  std::string_view digits = text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  if (const auto whole = number_in<std::int64_t>(digits)) return *whole;
  if (const auto whole = number_in<std::uint64_t>(digits)) return *whole;
  if (const auto number = number_in<double>(digits)) return *number;
  throw WordsError(fmt::format("`{}` is not a number: write a number such as -999, 1e20 or nan",
                               shortened(text)));
}

}  // namespace stencil
