#include "io/write/shifted_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

constexpr Index second = 1'000'000'000;
constexpr std::size_t date_and_minutes = 16;  // 2024-05-01T00:10

/// `.25` as the digits 25; the offset from UTC follows.
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

/// The fraction of a second in as many digits as were there, or as it takes.
std::string fraction(Index nanoseconds, std::size_t digits) {
  std::string all = fmt::format("{:09}", nanoseconds);
  const std::size_t needed = all.find_last_not_of('0') + 1;  // 0 if there are none
  all.resize(std::max(digits, needed), '0');
  return all.empty() ? all : "." + all;
}

}  // namespace

std::optional<std::string> later(const std::string& text, Index nanoseconds) {
  using namespace std::chrono;
  if (text.size() < date_and_minutes || (text[10] != 'T' && text[10] != ' ')) return std::nullopt;
  const Parts parts = parts_of(text);
  const auto local = time_of(text.substr(0, text.size() - parts.rest.size()));
  Index sum = 0;
  if (!local || !time_of(text) || __builtin_add_overflow(*local, nanoseconds, &sum))
    return std::nullopt;
  const Index seconds = (sum >= 0 ? sum : sum - second + 1) / second,
              beyond = sum - seconds * second;
  const auto day = floor<days>(sys_seconds(std::chrono::seconds(seconds)));
  const year_month_day date(day);
  const hh_mm_ss time(sys_seconds(std::chrono::seconds(seconds)) - day);
  std::string result =
      fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), text[10],
                  time.hours().count(), time.minutes().count());
  const std::string digits = fraction(beyond, parts.digits.size());
  if (parts.has_seconds || time.seconds().count() != 0 || !digits.empty())
    result += fmt::format(":{:02}{}", time.seconds().count(), digits);
  result += parts.rest;
  if (!time_of(result)) return std::nullopt;
  return result;
}

}  // namespace stencil::storage
