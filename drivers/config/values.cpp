#include "drivers/config/values.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "drivers/config/ini_text.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

namespace {

/// Doubles represent every integer up to this value exactly.
constexpr double exact = 9007199254740992.0;

enum class Reading { number, no_number, overflow };

/// Like std::from_chars, but accepts a leading plus sign, and requires that the whole text is a
/// number.
template <class T>
Reading read(std::string_view text, T& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return Reading::no_number;
  if (error == std::errc::result_out_of_range) return Reading::overflow;
  return error == std::errc() ? Reading::number : Reading::no_number;
}

[[noreturn]] void refuse_range(std::string_view text, const Range& range) {
  throw BadValue(fmt::format("{} is out of range, write {}", shortened(text), to_string(range)));
}

template <class T>
void check_range(std::string_view text, T value, const Range& range) {
  const double number = static_cast<double>(value);
  if (number < range.low || number > range.high || (range.open && number == range.low))
    refuse_range(text, range);
}

template <class Convert>
auto to_list(std::string_view text, std::size_t most, Convert convert) {
  const auto items = split_list(text);
  if (items.size() > most)
    throw BadValue(fmt::format("{} numbers, write {}", items.size(),
                               most == 1 ? "one" : fmt::format("at most {}", most)));
  std::vector<decltype(convert(items[0]))> out;
  for (const std::string_view item : items) out.push_back(convert(item));
  return out;
}

double unit_of(std::string_view suffix) {
  static constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},       {"B", 1},        {"kB", 1e3},     {"KB", 1e3},     {"MB", 1e6},
      {"GB", 1e9},   {"TB", 1e12},    {"K", 0x1p10},   {"KiB", 0x1p10}, {"M", 0x1p20},
      {"G", 0x1p30}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"T", 0x1p40},   {"TiB", 0x1p40}};
  for (const auto& [name, bytes] : units)
    if (name == suffix) return bytes;
  throw BadValue(
      fmt::format("no such unit as {}, write for example 512MiB or 4GiB", shortened(suffix)));
}

/// Examples of valid times, shown in error messages.
constexpr std::string_view times = "30 s, 10 min, 2 h or 00:55:00";

/// Returns whether a time has a format of Slurm's --time: digits, colons and dashes.
bool is_of_clock(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789:-") == text.npos &&
         text.find_first_of(":-", 1) != text.npos;
}

/// Returns the numbers of a text in which colons separate the numbers.
std::vector<double> parts_of_clock(std::string_view text) {
  std::vector<double> parts;
  while (true) {
    const std::size_t end = std::min(text.find(':'), text.size());
    Index number = 0;
    if (text.starts_with('-') || read(text.substr(0, end), number) != Reading::number)
      throw BadValue(
          fmt::format("not a time: a number is missing, or too large, at a colon or dash; "
                      "write for example {}",
                      times));
    parts.push_back(static_cast<double>(number));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Returns the seconds of a time in the format min:s, h:min:s, d-h, d-h:min or d-h:min:s.
double seconds_of_clock(std::string_view text) {
  const std::size_t dash = text.find('-');
  std::vector<double> parts = parts_of_clock(dash == text.npos ? text : text.substr(dash + 1));
  double days = 0;
  if (dash != text.npos) {
    if (text.find(':') < dash)
      throw BadValue("not a time: days come first, write for example 1-12:00:00");
    days = parts_of_clock(text.substr(0, dash)).front();
    if (parts.size() < 3) parts.resize(3);  // after the dash, the hours come first
  } else if (parts.size() == 2) {
    parts.insert(parts.begin(), 0);
  }
  if (parts.size() != 3)
    throw BadValue(fmt::format("not a time: too many colons, write for example {}", times));
  return ((days * 24 + parts[0]) * 60 + parts[1]) * 60 + parts[2];
}

}  // namespace

std::string to_string(const Range& range) {
  const bool below = std::isfinite(range.low), above = std::isfinite(range.high);
  if (!below && !above) return "any number";
  if (below && above && range.open)
    return fmt::format("> {:.17g}, at most {:.17g}", range.low, range.high);
  if (below && above) return fmt::format("{:.17g} .. {:.17g}", range.low, range.high);
  if (above) return fmt::format("at most {:.17g}", range.high);
  return fmt::format("{} {:.17g}", range.open ? ">" : ">=", range.low);
}

double to_real(std::string_view text, const Range& range) {
  double value = 0;
  const Reading reading = read(text, value);
  if (reading == Reading::no_number) {
    throw BadValue(fmt::format("{} is not a number, write for example 1.5", shortened(text)));
  }
  if (reading == Reading::overflow || !std::isfinite(value))
    throw BadValue(fmt::format("{} is not a finite number of double precision", shortened(text)));
  check_range(text, value, range);
  return value;
}

Index to_integer(std::string_view text, const Range& range) {
  Index value = 0;
  const Reading reading = read(text, value);
  if (reading == Reading::overflow) refuse_range(text, range);
  if (reading == Reading::no_number) {
    double real = 0;
    const Reading as_real = read(text, real);
    if (as_real == Reading::no_number || std::isnan(real))
      throw BadValue(fmt::format("{} is not a whole number, write for example 3", shortened(text)));
    if (as_real == Reading::overflow || std::abs(real) > exact) refuse_range(text, range);
    if (real != std::floor(real))
      throw BadValue(fmt::format("{} is not whole, write a whole number", shortened(text)));
    value = static_cast<Index>(real);
  }
  check_range(text, value, range);
  return value;
}

bool to_flag(std::string_view text) {
  for (const std::string_view word : {"true", "yes", "on", "1"})
    if (text == word) return true;
  for (const std::string_view word : {"false", "no", "off", "0"})
    if (text == word) return false;
  throw BadValue("write true or false");
}

Index to_bytes(std::string_view text) {
  // `e` belongs to the number, as in 1e9; the unit begins at the first other letter.
  const std::size_t split = std::min(text.find_first_not_of("0123456789+-.e"), text.size());
  const std::string_view number = trimmed(text.substr(0, split));
  const double unit = unit_of(trimmed(text.substr(split)));
  const double bytes = to_real(number, Range{0, exact, true}) * unit;
  if (bytes > exact) throw BadValue("out of range, write at most 8192TiB");
  if (bytes != std::floor(bytes))
    throw BadValue("no whole number of bytes, write for example 4GiB");
  return static_cast<Index>(bytes);
}

std::size_t number_end(std::string_view text) {
  const std::size_t sign = text.starts_with('+') ? 1 : 0;
  double value = 0;
  const char* const begin = text.data() + sign;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  return error == std::errc::invalid_argument ? 0 : static_cast<std::size_t>(end - text.data());
}

double to_seconds(std::string_view text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"s", 1},       {"sec", 1},      {"second", 1},  {"seconds", 1}, {"min", 60},
      {"minute", 60}, {"minutes", 60}, {"h", 3600},    {"hour", 3600}, {"hours", 3600},
      {"d", 86400},   {"day", 86400},  {"days", 86400}};
  const auto in_range = [&](double seconds) {
    constexpr double most = 1e9;
    if (seconds > 0 && seconds <= most) return seconds;
    throw BadValue(fmt::format("{} is out of range, write a time above 0 and up to {:.0f} s",
                               shortened(text), most));
  };
  if (is_of_clock(text)) return in_range(seconds_of_clock(text));
  const std::string_view number = text.substr(0, number_end(text));
  const std::string_view suffix = trimmed(text.substr(number.size()));
  if (suffix.empty() && !number.empty())
    throw BadValue(
        fmt::format("not a time: {} has no unit, write for example {}", shortened(number), times));
  for (const auto& [name, seconds] : units)
    if (name == suffix && !number.empty()) return in_range(to_real(number, Range{}) * seconds);
  throw BadValue(number.empty()
                     ? fmt::format("not a time: write for example {}", times)
                     : fmt::format("not a time: {} is not a unit of time, write for example {}",
                                   shortened(suffix), times));
}

std::vector<Index> to_extents(std::string_view text, const Range& range, std::size_t most) {
  std::vector<Index> out;
  while (true) {
    const std::size_t end = std::min(text.find('x'), text.size());
    const std::string_view item = trimmed(text.substr(0, end));
    if (item.empty()) throw BadValue("an extent is missing, write for example 2x3");
    out.push_back(to_integer(item, range));
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  if (out.size() > most)
    throw BadValue(fmt::format("{} extents, write at most {}", out.size(), most));
  return out;
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> out;
  text = trimmed(text);
  bool comma = true;  // whether a comma at this position would leave an empty item, as at the
                      // beginning and after a comma
  while (!text.empty()) {
    if (text.front() == ',') {
      if (comma) throw BadValue("an item is missing at a comma");
      comma = true;
      text = trimmed(text.substr(1));
      continue;
    }
    const std::size_t end = std::min(text.find_first_of(", \t"), text.size());
    out.push_back(text.substr(0, end));
    text = trimmed(text.substr(end));
    comma = false;
  }
  if (comma) throw BadValue("an item is missing at a comma");
  return out;
}

std::vector<double> to_reals(std::string_view text, const Range& range, std::size_t most) {
  return to_list(text, most, [&](std::string_view item) { return to_real(item, range); });
}

std::vector<Index> to_integers(std::string_view text, const Range& range, std::size_t most) {
  return to_list(text, most, [&](std::string_view item) { return to_integer(item, range); });
}

}  // namespace stencil
