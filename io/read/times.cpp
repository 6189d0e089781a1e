#include "io/read/times.hpp"

#include <fmt/core.h>

#include <array>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/date.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/sampling_rate.hpp"

namespace stencil::storage {
namespace {

/// Attributes of one signal that hold the time of its first point in GPS time, those with the unit
/// (none: seconds), and what has to be there, too.
struct StartNames {
  const char *start, *units, *needs;
};
constexpr std::array<StartNames, 3> start_names{
    {{"Xstart", "Xunits", ""}, {"x0", "xunit", "xunit"}, {"start_time", "", "delta_t"}}};

/// Finds the times of one dataset.
class Search {
 public:
  Search(const DatasetPath& path, const DatasetFacts& facts) : path_(path), facts_(facts) {}

  std::optional<TimeSpan> from_scales() const {
    for (std::size_t axis = 0; axis < facts_.dims.size(); ++axis)
      for (const Scale& scale : scales_of(path_.dataset, static_cast<int>(axis)))
        if (scale.dataset)
          if (const auto clock = scale_of(scale.dataset))
            if (auto span = of_all(scale.dataset, static_cast<int>(axis), *clock,
                                   "dimension scale " + scale.path))
              return span;
    return std::nullopt;
  }

  /// @param clock  of a dataset without a unit; nothing: it needs one
  std::optional<TimeSpan> from_beside(const std::string& name,
                                      std::optional<TimeScale> clock) const {
    const Handle times = member(path_.groups.back(), name, H5I_DATASET);
    const auto axis = times ? axis_as_long_as(times, facts_.dims) : std::nullopt;
    if (!axis) return std::nullopt;
    if (!clock || !attribute_text(times, "units").empty()) clock = scale_of(times);
    if (!clock) return std::nullopt;
    return of_all(times, *axis, *clock, "dataset " + object_name(times));
  }

  std::optional<TimeSpan> from_text(const char* name) const {
    const std::string text = attribute_text(path_.dataset, name);
    return text.empty() ? std::nullopt : of_first(time_of(text), fmt::format("attribute {}", name));
  }

  std::optional<TimeSpan> from_gps() const {
    if (facts_.dims.size() != 1) return std::nullopt;
    for (const auto& [name, units, needs] : start_names) {
      const auto start = attribute_number(path_.dataset, name);
      if (!start || (*needs != '\0' && !has_attribute(path_.dataset, needs))) continue;
      const std::string unit = *units == '\0' ? "" : attribute_text(path_.dataset, units);
      auto clock = unit.empty() ? gps_scale() : time_scale_of(unit);
      if (!clock) continue;
      if (!clock->has_reference) {
        const TimeUnit in_file = clock->unit;
        clock = gps_scale();
        clock->unit = in_file;
      }
      return of_first(clock->at(*start), fmt::format("attribute {}", name), clock->calendar);
    }
    return std::nullopt;
  }

  std::optional<TimeSpan> from_header() const {
    const Handle header = member(path_.groups.back(), "header", H5I_GROUP);
    const Handle time = header ? member(header, "time", H5I_DATASET) : Handle();
    const auto start = time ? single_number(time) : std::nullopt;
    return start ? of_first(TimeScale{}.at(*start), "dataset " + object_name(time)) : std::nullopt;
  }

 private:
  static std::optional<TimeScale> scale_of(hid_t times) {
    return time_scale_of(attribute_text(times, "units"), attribute_text(times, "calendar"));
  }

  std::optional<TimeSpan> of_all(hid_t times, int axis, const TimeScale& clock,
                                 const std::string& source) const {
    const Index length = facts_.dims[static_cast<std::size_t>(axis)];
    const auto ends = ends_of(times, length);
    if (!ends || is_too_coarse(times, length)) return std::nullopt;
    const auto first = clock.at(ends->first), last = clock.at(ends->second);
    if (!first || !last || *last < *first) return std::nullopt;
    // where both have the same dates they are one calendar
    const bool is_gregorian = clock.calendar == Calendar::proleptic_gregorian &&
                              *first >= begin_of(*Date::parse("1582-10-15"), Calendar::standard);
    return TimeSpan{axis, *first, *last, one_line(source),
                    name_of(is_gregorian ? Calendar::standard : clock.calendar)};
  }

  /// Along the axis that has a rate, or is named so, or the first one.
  std::optional<TimeSpan> of_first(std::optional<Nanoseconds> first, const std::string& source,
                                   Calendar calendar = Calendar::standard) const {
    if (!first) return std::nullopt;
    const int rank = static_cast<int>(facts_.dims.size());
    int axis = named_time_axis(path_.dataset, rank).value_or(0);
    for (int other = rank; other-- > 0;)
      if (facts_.sampling_rate[static_cast<std::size_t>(other)] > 0) axis = other;
    const auto at = static_cast<std::size_t>(axis);
    const double rate = facts_.sampling_rate[at];
    const auto last =
        rate > 0 ? TimeScale{.zero = *first}.at(static_cast<double>(facts_.dims[at] - 1) / rate)
                 : first;
    if (!last) return std::nullopt;
    return TimeSpan{axis, *first, *last, one_line(source), name_of(calendar)};
  }

  const DatasetPath& path_;
  const DatasetFacts& facts_;
};

}  // namespace

std::optional<Nanoseconds> time_of(const std::string& text) {
  const auto date = Date::parse(text);
  if (!date || date->last < DatePart::day) return std::nullopt;
  return begin_of(*date, Calendar::standard);
}

std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts) {
  const Search search(path, facts);
  if (auto span = search.from_scales()) return span;
  if (auto span = search.from_beside(path.names.back() + "Time", TimeScale{.unit = {1000, 1}}))
    return span;
  if (auto span = search.from_text("PartStartTime")) return span;
  if (auto span = search.from_gps()) return span;
  if (auto span = search.from_header()) return span;
  for (const char* name : {"time", "t"})
    if (auto span = search.from_beside(name, std::nullopt)) return span;
  return std::nullopt;
}

}  // namespace stencil::storage
