#include "io/metadata/unit.hpp"

#include <fmt/format.h>
#include <udunits2.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <mutex>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t longest = 200;  // characters of a unit; longer texts are rejected
constexpr double rounding = 1e-9;     // relative error of factors between two notations of one unit

std::mutex& udunits_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// Returns the database of units of UDUNITS. @pre the mutex is held
ut_system* known_units() {
  static ut_system* const units = [] {
    ut_set_error_message_handler(ut_ignore);
    return ut_read_xml(nullptr);
  }();
  if (units == nullptr) {
    ut_status status = UT_SUCCESS;
    const char* path = ut_get_path_xml(nullptr, &status);
    throw StorageError(
        fmt::format("{}: the units of UDUNITS-2 cannot be read from there: install them (Debian's "
                    "libudunits2-data), or set UDUNITS2_XML_PATH to the path of udunits2.xml",
                    one_line(path == nullptr ? "udunits2.xml" : path)));
  }
  return units;
}

std::string without_dots(std::string text) {
  std::replace(text.begin(), text.end(), '.', ' ');
  return text;
}

bool begins_with_factor(const std::string& text) {
  return std::isdigit(static_cast<unsigned char>(text.front())) != 0 && text != "1";
}

/// Returns whether a unit has only letters and underscores, so that an exponent can be appended.
bool is_one_word(const std::string& unit) {
  return std::all_of(unit.begin(), unit.end(), [](char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

/// Returns whether a unit contains `word` as a whole word.
bool has_word(const std::string& unit, const std::string& word) {
  const auto is_letter = [&](std::size_t at) {
    return at < unit.size() && is_one_word(unit.substr(at, 1));
  };
  for (std::size_t at = unit.find(word); at != unit.npos; at = unit.find(word, at + 1))
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + word.size())) return true;
  return false;
}

/// Returns whether the two units are equal.
bool are_same(const Unit& a, const Unit& b) {
  const auto factor = a.in(b);
  return factor && std::abs(*factor - 1) < rounding;
}

}  // namespace

Unit::Unit(ut_unit* unit)
    : unit_(unit, [](ut_unit* freed) {
        const std::scoped_lock lock(udunits_mutex());
        ut_free(freed);
      }) {}

std::optional<Unit> Unit::parse(const std::string& text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  const auto first = std::find_if_not(text.begin(), text.end(), is_blank);
  const auto last = std::find_if_not(text.rbegin(), text.rend(), is_blank).base();
  if (first >= last || last - first > static_cast<std::ptrdiff_t>(longest)) return std::nullopt;
  const std::string words(first, last);
  ut_unit* unit = nullptr;
  {
    const std::scoped_lock lock(udunits_mutex());
    unit = ut_parse(known_units(), words.c_str(), is_utf8(words) ? UT_UTF8 : UT_LATIN1);
  }
  return unit == nullptr ? std::nullopt : std::optional(Unit(unit));
}

std::optional<double> Unit::in(const Unit& other) const {
  const std::scoped_lock lock(udunits_mutex());
  cv_converter* const converter = ut_get_converter(unit_.get(), other.unit_.get());
  if (converter == nullptr) return std::nullopt;
  const double zero = cv_convert_double(converter, 0), one = cv_convert_double(converter, 1),
               two = cv_convert_double(converter, 2);
  cv_free(converter);
  // conversions of logarithmic units and reciprocals (s and Hz) are not multiplications by a factor
  const double factor = zero == 0 ? one : one - zero;
  if (!std::isfinite(two) || std::abs(two - one - factor) > rounding * std::abs(two))
    return std::nullopt;
  return factor;
}

std::optional<Unit> Unit::per(const Unit& other, int power) const {
  ut_unit* quotient = nullptr;
  {
    const std::scoped_lock lock(udunits_mutex());
    if (ut_unit* const divisor = ut_raise(other.unit_.get(), power)) {
      quotient = ut_divide(unit_.get(), divisor);
      ut_free(divisor);
    }
  }
  return quotient == nullptr ? std::nullopt : std::optional(Unit(quotient));
}

std::string Unit::text() const {
  std::array<char, 2 * longest> buffer{};
  const std::scoped_lock lock(udunits_mutex());
  const int length = ut_format(unit_.get(), buffer.data(), buffer.size() - 1, UT_ASCII);
  const std::string text(buffer.data(), length < 0 ? 0 : static_cast<std::size_t>(length));
  const std::size_t blank = begins_with_factor(text) ? text.find(' ') : 0;
  if (blank == text.npos) return text;
  return text.substr(0, blank) + without_dots(text.substr(blank));
}

std::optional<std::string> unit_of_derivative(const std::string& quantity,
                                              const std::string& coordinate, Index order) {
  const bool is_plain = quantity.empty() || quantity == "1";
  const auto of = Unit::parse(is_plain ? "1" : quantity), by = Unit::parse(coordinate);
  const auto derived =
      of && by && order < 100 ? of->per(*by, static_cast<int>(order)) : std::nullopt;
  if (!derived) return std::nullopt;
  const std::string power =
      fmt::format("{}-{}", is_one_word(coordinate) ? coordinate : "(" + coordinate + ")", order);
  const std::string words = is_plain ? power : quantity + " " + power, base = derived->text();
  if (!is_plain && has_word(quantity, coordinate) && !base.empty() && !begins_with_factor(base))
    return base;
  const auto read_back = Unit::parse(words);
  return read_back && are_same(*read_back, *derived) ? std::optional(words) : std::nullopt;
}

}  // namespace stencil::storage
