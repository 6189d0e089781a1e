#include "drivers/config/selection_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drivers/config/ini_text.hpp"
#include "drivers/config/values.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

constexpr std::string_view between = "..";

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != text.npos; end = text.find(at)) {
    parts.push_back(trimmed(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  parts.push_back(trimmed(text));
  return parts;
}

Slice read_slice(std::string_view text) {
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3)
    throw BadValue(fmt::format(
        "{} is not a slice, write START:STOP or START:STOP:STEP for each axis, or : for all of it",
        shortened(text)));
  const auto number = [](std::string_view part) {
    return part.empty() ? std::optional<Index>() : to_integer(part, {-9e15, 9e15});
  };
  Slice slice{number(parts[0]), number(parts[1])};
  if (parts.size() == 3 && !parts[2].empty()) slice.step = to_integer(parts[2], {1, 9e15});
  return slice;
}

/// Parses a range such as `time 2024-05-01T00:10 .. 2024-05-01T00:20`.
CoordinateRange read_range(std::string_view text) {
  const std::size_t blank = text.find(' '), dots = text.find(between);
  if (blank > dots)
    throw BadValue(fmt::format("{} names no coordinate, write NAME LOW .. HIGH", shortened(text)));
  CoordinateRange range{std::string(text.substr(0, blank)),
                        std::string(trimmed(text.substr(blank, dots - blank))),
                        std::string(trimmed(text.substr(dots + between.size())))};
  if (range.low.empty() && range.high.empty())
    throw BadValue(fmt::format("{} has no limit, write {} LOW .. HIGH", shortened(text),
                               shortened(range.name)));
  return range;
}

std::string text_of(const Slice& slice) {
  const auto number = [](std::optional<Index> n) { return n ? std::to_string(*n) : ""; };
  return number(slice.start) + ":" + number(slice.stop) +
         (slice.step == 1 ? "" : ":" + std::to_string(slice.step));
}

std::string text_of(const CoordinateRange& range) {
  return fmt::format("{}{}{} ..{}{}", range.name, range.low.empty() ? "" : " ", range.low,
                     range.high.empty() ? "" : " ", range.high);
}

}  // namespace

Selection read_selection(std::string_view text) {
  Selection selection;
  if (text == "all") return selection;
  for (const std::string_view item : split(text, ','))
    if (item.find(between) != item.npos)
      selection.emplace_back(read_range(item));
    else
      selection.emplace_back(read_slice(item));
  return selection;
}

std::string text_of(const Selection& selection) {
  std::string words;
  for (const auto& item : selection)
    words +=
        (words.empty() ? "" : ", ") + std::visit([](const auto& i) { return text_of(i); }, item);
  return words;
}

}  // namespace stencil
