#include "io/read/coordinate_range.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/file_check.hpp"
#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

std::string words_of(const CoordinateRange& range) {
  return fmt::format("input.select = {} {} .. {}", shortened(range.name), shortened(range.low),
                     shortened(range.high));
}

/// The last part of a path.
std::string leaf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// A limit as a number of a clock, or of a unit that is no time.
double limit_of(const std::string& text, const std::optional<Clock>& clock, double absent,
                const CoordinateRange& range) {
  if (text.empty()) return absent;
  if (const auto number = number_of(text)) return *number;
  const auto time = time_of(text);
  if (time && clock) return clock->value_of(*time);
  throw WordsError(fmt::format("{}: {} is no number{}", words_of(range), shortened(text),
                               clock ? " and no date, write for example 2024-05-01T00:10"
                                     : ", and the scale has no unit of time"));
}

[[noreturn]] void throw_empty(const CoordinateRange& range, double first, double last,
                              const std::string& unit) {
  throw WordsError(fmt::format("{}: no point lies in it, the axis goes from {:.17g} to {:.17g}{}{}",
                               words_of(range), first, last, unit.empty() ? "" : " ",
                               shortened(unit)));
}

/// Searches the scales of one dataset.
class Search {
 public:
  Search(const DatasetFacts& facts, const CoordinateRange& range, bool may_be_empty)
      : facts_(facts),
        described_(facts.described()),
        range_(range),
        may_be_empty_(may_be_empty),
        file_(open_for_reading(described_.file)),
        path_(open_dataset(file_, described_.file, described_.dataset)) {}

  FoundRange find() {
    for (const bool any_time : {false, true})
      for (std::size_t axis = 0; axis < described_.dims.size(); ++axis)
        for (const Scale& scale : scales_of(path_.dataset, static_cast<int>(axis))) {
          if (!scale.dataset) continue;
          names_.push_back(leaf(scale.path));
          const std::string unit = attribute_text(scale.dataset, "units");
          const bool is_it =
              any_time ? range_.name == "time" && clock_of(unit) : leaf(scale.path) == range_.name;
          if (!is_it) continue;
          if (static_cast<int>(axis) != facts_.joined_axis.value_or(-1))
            return within(scale.dataset, static_cast<int>(axis), unit);
          is_joined_ = true;
          if (!joined_clock_) joined_clock_ = clock_of(unit);
        }
    if (range_.name == "time" || joined_clock_)
      if (const auto times = facts_.joined_axis ? described_.times : find_times(path_, described_))
        return within(*times);
    if (is_joined_)
      throw WordsError(
          fmt::format("{}: files are joined along the axis of that scale, which is no time: write "
                      "indices, START:STOP",
                      words_of(range_)));
    names_.resize(names_.size() / 2);  // they were looked at twice
    throw WordsError(fmt::format(
        "{}: {} has no scale of that name{}", words_of(range_),
        qualified_name(described_.file, described_.dataset),
        names_.empty()
            ? ", nor any other: write indices, START:STOP"
            : fmt::format(", it has {}", one_line(fmt::format("{}", fmt::join(names_, ", "))))));
  }

 private:
  FoundRange within(hid_t scale, int axis, const std::string& unit) const {
    const Index extent = facts_.dims[static_cast<std::size_t>(axis)];
    const auto clock = clock_of(unit);
    const double low = limit_of(range_.low, clock, -none, range_),
                 high = limit_of(range_.high, clock, none, range_);
    const auto ends = ends_of(scale, extent);
    const auto found = ends ? ordered_within(scale, extent, low, high) : std::nullopt;
    if (!found)
      throw WordsError(
          fmt::format("{}: the values of that scale neither rise nor fall all along, or cannot be "
                      "read as numbers: write indices, START:STOP",
                      words_of(range_)));
    if (found->empty() && may_be_empty_) return {axis, {0, 1, 0}};
    if (found->empty()) throw_empty(range_, ends->first, ends->second, unit);
    return {axis, {found->first, 1, found->extent()}};
  }

  /// By the first time and the rate.
  FoundRange within(const TimeSpan& times) const {
    const auto at = static_cast<std::size_t>(times.axis);
    const double rate = facts_.sampling_rate[at];
    if (!(rate > 0))
      throw WordsError(fmt::format(
          "{}: when the points were taken is known ({}), but not their rate: write indices, "
          "START:STOP",
          words_of(range_), times.source));
    const Clock clock{1, times.first};  // seconds since the first point
    // a number counts in the file's own time: in the unit of its scale, else in seconds
    const auto limit = [&](const std::string& text, double absent) {
      const auto number = number_of(text);
      if (!number) return limit_of(text, clock, absent, range_);
      const auto time = joined_clock_.value_or(Clock{}).at(*number);
      if (!time) return std::copysign(none, *number);  // beyond what a time can be
      return 1e-9 * static_cast<double>(*time - times.first);
    };
    constexpr double of_a_time = 2.5e-7;  // s, of seconds since 1970 in float64
    const double rounding = std::min(0.1, 1e-6 + of_a_time * rate);  // points
    const auto extent = static_cast<double>(facts_.dims[at]);
    const double low = std::max(0.0, std::ceil(limit(range_.low, -none) * rate - rounding)),
                 high =
                     std::min(extent - 1, std::floor(limit(range_.high, none) * rate + rounding));
    if (!(low <= high) && may_be_empty_) return {times.axis, {0, 1, 0}};
    if (!(low <= high))
      throw WordsError(fmt::format("{}: no point lies in it, the axis has {:.6g} s from {} on ({})",
                                   words_of(range_), extent / rate, text_of(times.first),
                                   times.source));
    return {times.axis, {static_cast<Index>(low), 1, static_cast<Index>(high - low) + 1}};
  }

  const DatasetFacts& facts_;
  const DatasetFacts& described_;
  const CoordinateRange& range_;
  bool may_be_empty_;
  Handle file_;
  DatasetPath path_;
  std::vector<std::string> names_;
  bool is_joined_ = false;             ///< the scale lies along the axis of a join
  std::optional<Clock> joined_clock_;  ///< of such a scale
};

}  // namespace

FoundRange find_range(const DatasetFacts& facts, const CoordinateRange& range, bool may_be_empty) {
  return Search(facts, range, may_be_empty).find();
}

}  // namespace stencil::storage
