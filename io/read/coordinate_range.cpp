#include "io/read/coordinate_range.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <utility>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/date.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/file_check.hpp"
#include "io/read/range_limits.hpp"
#include "io/read/same_values.hpp"
#include "io/read/stack.hpp"
#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

/// Returns the last part of a path.
std::string leaf(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

[[noreturn]] void throw_empty(const CoordinateRange& range, const ElementValue& first,
                              const ElementValue& last, const std::string& unit) {
  throw WordsError(fmt::format("{}: no point lies in it, the axis goes from {} to {}{}{}",
                               words_of(range), to_string(first), to_string(last),
                               unit.empty() ? "" : " ", shortened(unit)));
}

/// Searches the scales of one dataset for a range.
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
          const std::string calendar = attribute_text(scale.dataset, "calendar");
          const bool is_it = any_time ? range_.name == "time" && time_unit_of(unit, calendar)
                                      : leaf(scale.path) == range_.name;
          if (!is_it) continue;
          const int own = static_cast<int>(axis + new_axes(facts_));
          if (own != facts_.joined_axis.value_or(-1)) {
            if (is_stacked(facts_)) require_in_all(scale, static_cast<int>(axis));
            return within(scale.dataset, own, unit);
          }
          is_joined_ = true;
          if (!joined_clock_) joined_clock_ = time_scale_of(unit, calendar);
        }
    if (range_.name == "time" || joined_clock_)
      if (const auto times = facts_.joined_axis ? described_.times : find_times(path_, described_))
        return within(*times);
    if (is_joined_)
      throw WordsError(
          fmt::format("{}: files are joined along the axis of that scale, and the scale is not a "
                      "time: write indices, START:STOP",
                      words_of(range_)));
    names_.resize(names_.size() / 2);  // all names were added twice
    throw WordsError(fmt::format(
        "{}: {} has no scale of that name{}", words_of(range_),
        qualified_name(described_.file, described_.dataset),
        names_.empty()
            ? ", nor any other: write indices, START:STOP"
            : fmt::format(", it has {}", one_line(fmt::format("{}", fmt::join(names_, ", "))))));
  }

 private:
  /// Checks that all stacked datasets have the same coordinates as the first dataset.
  void require_in_all(const Scale& scale, int axis) const {
    for (const DatasetFacts& source : facts_.source_datasets) {
      const Handle file = open_for_reading(source.file);
      if (has_same_scale(open_dataset(file, source.file, source.dataset), axis, scale)) continue;
      throw WordsError(fmt::format(
          "{}: the values of that scale in {} differ from those in {}: write indices, START:STOP",
          words_of(range_), qualified_name(source.file, source.dataset),
          qualified_name(described_.file, described_.dataset)));
    }
  }

  FoundRange within(hid_t scale, int axis, const std::string& unit) const {
    const Index extent = facts_.dims[static_cast<std::size_t>(axis)];
    const auto clock = time_scale_of(unit, attribute_text(scale, "calendar"));
    const auto ends = ends_of(scale, extent);
    const bool falls = ends && ends->second.to_double() < ends->first.to_double();
    const Limits limits = limits_of(range_, clock, unit, falls);
    const auto found = ends ? points_within(scale, extent, limits, clock) : std::nullopt;
    if (!found)
      throw WordsError(
          fmt::format("{}: the values of that scale neither rise nor fall all along, or cannot be "
                      "read as numbers: write indices, START:STOP",
                      words_of(range_)));
    if (found->empty() && may_be_empty_) return {axis, {0, 1, 0}};
    if (found->empty()) throw_empty(range_, ends->first, ends->second, unit);
    return {axis, {found->first, 1, found->extent()}};
  }

  /// Finds the points from the first time and the rate.
  FoundRange within(const TimeSpan& times) const {
    const auto at = static_cast<std::size_t>(times.axis);
    const double rate = facts_.sampling_rate[at];
    if (!(rate > 0))
      throw WordsError(fmt::format(
          "{}: when the points were taken is known ({}), but not their rate: write indices, "
          "START:STOP",
          words_of(range_), times.source));
    const Calendar calendar = calendar_of(times.calendar).value_or(Calendar::standard);
    // a number is in the unit of the file's scale, if it has one, otherwise in seconds
    const TimeScale clock = joined_clock_.value_or(
        calendar == Calendar::gps ? gps_scale()
                                  : TimeScale{.calendar = calendar, .has_reference = true});
    const auto [first, last] = limits_of(range_, clock, "", false);
    const auto points_to = [&](const std::optional<Nanoseconds>& time) {
      return 1e-9 * static_cast<double>(*time - times.first) * rate -
             static_cast<double>(facts_.joined_first);
    };
    const auto place = [&](const ElementValue& number) {  // infinite for numbers that are not
                                                          // representable times
      const auto time = clock.at(number);
      return time ? points_to(time) : std::copysign(none, number.to_double());
    };
    // s; rounding error in seconds of a time that is stored as seconds since 1970 in float64
    constexpr double of_a_time = 2.5e-7;
    const double rounding = std::min(0.1, 1e-6 + of_a_time * rate);  // points
    const auto extent = static_cast<double>(facts_.dims[at]);
    double low = 0, high = extent - 1;
    if (first.number) low = std::ceil(place(*first.number) - rounding);
    if (first.begin) low = std::ceil(points_to(first.begin) - rounding);
    if (last.number) high = std::floor(place(*last.number) + rounding);
    if (last.end) high = std::ceil(points_to(last.end) - rounding) - 1;
    low = std::max(low, 0.0);
    high = std::min(high, extent - 1);
    if (!(low <= high) && may_be_empty_) return {times.axis, {0, 1, 0}};
    if (!(low <= high))
      throw WordsError(fmt::format("{}: no point lies in it, the axis has {:.6g} s from {} on ({})",
                                   words_of(range_), extent / rate,
                                   date_text(times.first, calendar), times.source));
    return {times.axis, {static_cast<Index>(low), 1, static_cast<Index>(high - low) + 1}};
  }

  const DatasetFacts& facts_;
  const DatasetFacts& described_;
  const CoordinateRange& range_;
  bool may_be_empty_;
  Handle file_;
  DatasetPath path_;
  std::vector<std::string> names_;
  bool is_joined_ = false;                 ///< the scale belongs to the joined axis
  std::optional<TimeScale> joined_clock_;  ///< clock of a scale of the joined axis
};

}  // namespace

FoundRange find_range(const DatasetFacts& facts, const CoordinateRange& range, bool may_be_empty) {
  return Search(facts, range, may_be_empty).find();
}

}  // namespace stencil::storage
