#include "drivers/config/unit_values.hpp"

#include <fmt/core.h>

#include "drivers/config/ini_text.hpp"
#include "framework/grid/one_line.hpp"
#include "io/metadata/unit.hpp"

namespace stencil {
namespace {

/// Returns the length of the numbers at the start of a list: 6 for `100 50 km`.
std::size_t numbers_end(std::string_view text) {
  std::size_t end = 0;
  for (const std::string_view word : split_list(text)) {
    if (number_end(word) != word.size()) break;
    end = static_cast<std::size_t>(word.data() - text.data()) + word.size();
  }
  return end;
}

}  // namespace

UnitValues to_unit_values(std::string_view text, const Range& range, std::size_t most) {
  const std::size_t end = numbers_end(text);
  const std::string unit(trimmed(text.substr(end)));
  // UDUNITS reads `3km` as a unit of three kilometres
  if (number_end(unit) > 0)
    throw BadValue(fmt::format("{}: write a blank between a number and its unit", shortened(unit)));
  if (end == 0 || unit.empty()) return {to_reals(text, range, most), ""};
  if (!storage::Unit::parse(unit))
    throw BadValue(fmt::format("{} is no unit: write one such as km, m or s, or no unit for points",
                               shortened(unit)));
  return {to_reals(text.substr(0, end), range, most), unit};
}

}  // namespace stencil
