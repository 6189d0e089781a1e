#include "io/write/carry/shifted_times.hpp"

#include <algorithm>

#include "io/metadata/date.hpp"
#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

constexpr std::size_t date_and_minutes = 16;  // 2024-05-01T00:10

/// The parts of a time after the minutes: `.25` as the digits 25, and the offset from UTC.
struct Parts {
  bool has_seconds = false;
  std::string digits, rest;
};

Parts parts_of(const std::string& text) {
  Parts parts;
  std::size_t at = date_and_minutes;
  const auto digits_end = [&](std::size_t from) {
    return std::min(text.find_first_not_of("0123456789", from), text.size());
  };
  if (at < text.size() && text[at] == ':') {
    parts.has_seconds = true;
    at = digits_end(at + 1);
    if (at < text.size() && text[at] == '.') {
      const std::size_t end = digits_end(at + 1);
      parts.digits = text.substr(at + 1, end - at - 1);
      at = end;
    }
  }
  parts.rest = text.substr(at);
  return parts;
}

/// Returns a fraction of a second with its decimal point and at least `least` digits.
std::string fraction(std::string digits, std::size_t least) {
  digits.resize(std::max(digits.size(), least), '0');
  return digits.empty() ? digits : "." + digits;
}

}  // namespace

std::optional<std::string> later(const std::string& text, Nanoseconds nanoseconds) {
  if (text.size() < date_and_minutes || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
  const Parts parts = parts_of(text);
  const auto local = time_of(text.substr(0, text.size() - parts.rest.size()));
  if (!local || !time_of(text)) return std::nullopt;
  // 2024-05-01T00:10:00.25; at least as many fractional digits as in `text` are written
  const std::string sum = date_text(*local + nanoseconds, Calendar::standard);
  if (sum[0] == '-' || sum[10] != 'T') return std::nullopt;  // the year has not four digits
  const std::size_t dot = sum.find('.');
  const std::string shown = sum.substr(dot == sum.npos ? sum.size() : dot + 1);
  const std::string digits = fraction(shown, parts.digits.size());
  std::string result = sum.substr(0, date_and_minutes);
  result[10] = text[10];
  const std::string seconds = sum.substr(date_and_minutes, 3);
  if (parts.has_seconds || seconds != ":00" || !digits.empty()) result += seconds + digits;
  result += parts.rest;
  if (!time_of(result)) return std::nullopt;
  return result;
}

}  // namespace stencil::storage
