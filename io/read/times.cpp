#include "io/read/times.hpp"

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/sampling_rate.hpp"

namespace stencil::storage {
namespace {

constexpr double most_ns = 9.2e18;

/// Seconds that an offset such as `+02:00`, `-0330`, `Z`, ` UTC` adds; nothing for other texts.
std::optional<int> offset_of(std::string text) {
  std::erase(text, ' ');
  std::erase(text, ':');
  if (text.empty() || text == "Z" || text == "UTC") return 0;
  if ((text[0] != '+' && text[0] != '-') || (text.size() != 3 && text.size() != 5) ||
      text.find_first_not_of("0123456789", 1) != text.npos)
    return std::nullopt;
  const int hours = std::stoi(text.substr(1, 2)),
            minutes = text.size() == 5 ? std::stoi(text.substr(3, 2)) : 0;
  return (text[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/// Finds the times of one dataset.
class Search {
 public:
  Search(const DatasetPath& path, const DatasetFacts& facts) : path_(path), facts_(facts) {}

  std::optional<TimeSpan> from_scales() const {
    for (std::size_t axis = 0; axis < facts_.dims.size(); ++axis)
      for (const Scale& scale : scales_of(path_.dataset, static_cast<int>(axis)))
        if (scale.dataset)
          if (const auto clock = clock_of(attribute_text(scale.dataset, "units")))
            if (auto span = of_all(scale.dataset, static_cast<int>(axis), *clock,
                                   "dimension scale " + scale.path))
              return span;
    return std::nullopt;
  }

  /// @param clock  of a dataset without a unit; nothing: it needs one
  std::optional<TimeSpan> from_beside(const std::string& name, std::optional<Clock> clock) const {
    const Handle times = member(path_.groups.back(), name, H5I_DATASET);
    const auto axis = times ? axis_as_long_as(times, facts_.dims) : std::nullopt;
    if (!axis) return std::nullopt;
    const std::string units = attribute_text(times, "units");
    if (!units.empty() || !clock) clock = clock_of(units);
    if (!clock) return std::nullopt;
    return of_all(times, *axis, *clock, "dataset " + object_name(times));
  }

  std::optional<TimeSpan> from_text(const char* name) const {
    const std::string text = attribute_text(path_.dataset, name);
    return text.empty() ? std::nullopt : of_first(time_of(text), fmt::format("attribute {}", name));
  }

  std::optional<TimeSpan> from_start() const {
    const auto start = facts_.dims.size() == 1 ? attribute_number(path_.dataset, "Xstart")
                                               : std::optional<double>();
    const std::string units = start ? attribute_text(path_.dataset, "Xunits") : "";
    const auto clock = clock_of(units.empty() ? "s" : units);
    return start && clock ? of_first(clock->at(*start), "attribute Xstart") : std::nullopt;
  }

  std::optional<TimeSpan> from_header() const {
    const Handle header = member(path_.groups.back(), "header", H5I_GROUP);
    const Handle time = header ? member(header, "time", H5I_DATASET) : Handle();
    const auto start = time ? single_number(time) : std::nullopt;
    return start ? of_first(Clock{}.at(*start), "dataset " + object_name(time)) : std::nullopt;
  }

 private:
  std::optional<TimeSpan> of_all(hid_t times, int axis, const Clock& clock,
                                 const std::string& source) const {
    const auto ends = ends_of(times, facts_.dims[static_cast<std::size_t>(axis)]);
    if (!ends || ends->second < ends->first) return std::nullopt;
    const auto first = clock.at(ends->first), last = clock.at(ends->second);
    if (!first || !last) return std::nullopt;
    return TimeSpan{axis, *first, *last, one_line(source)};
  }

  /// Along the axis that has a rate, or is named so, or the first one.
  std::optional<TimeSpan> of_first(std::optional<Index> first, const std::string& source) const {
    if (!first) return std::nullopt;
    const int rank = static_cast<int>(facts_.dims.size());
    int axis = named_time_axis(path_.dataset, rank).value_or(0);
    for (int other = rank; other-- > 0;)
      if (facts_.sampling_rate[static_cast<std::size_t>(other)] > 0) axis = other;
    const auto at = static_cast<std::size_t>(axis);
    const double rate = facts_.sampling_rate[at];
    const auto last =
        rate > 0 ? Clock{1, *first}.at(static_cast<double>(facts_.dims[at] - 1) / rate) : first;
    return last ? std::optional(TimeSpan{axis, *first, *last, one_line(source)}) : std::nullopt;
  }

  const DatasetPath& path_;
  const DatasetFacts& facts_;
};

}  // namespace

std::optional<Index> Clock::at(double value) const {
  // 1e-6 is no number in binary, but 1e-6 * 1e9 is rounded to one
  const long double ns = static_cast<long double>(value) * (seconds * 1e9) + zero;
  if (!(std::abs(ns) < most_ns)) return std::nullopt;
  return std::llround(ns);
}

double Clock::value_of(Index time) const {
  return static_cast<double>((static_cast<long double>(time) - zero) / (seconds * 1e9));
}

std::optional<Clock> clock_of(const std::string& units) {
  const double seconds = unit_in_seconds(units);
  if (!(seconds > 0)) return std::nullopt;
  const std::size_t since = units.find(" since ");
  if (since == units.npos) return Clock{seconds};
  const auto zero = time_of(units.substr(since + 7));
  if (!zero) return std::nullopt;
  return Clock{seconds, *zero};
}

std::string text_of(Index time) {
  using namespace std::chrono;
  const sys_time<nanoseconds> at{nanoseconds(time)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss clock(at - day);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (const auto rest = clock.subseconds().count(); rest > 0) {
    text += fmt::format(".{:09}", rest);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

std::optional<Index> time_of(const std::string& text) {
  using namespace std::chrono;
  int years = 0, hours = 0, minutes = 0, used = 0, more = 0;
  unsigned months = 0, days = 0;
  if (std::sscanf(text.c_str(), "%4d-%2u-%2u%n", &years, &months, &days, &used) != 3)
    return std::nullopt;
  std::string rest = text.substr(static_cast<std::size_t>(used));
  double seconds = 0;
  if (!rest.empty() && (rest[0] == 'T' || rest[0] == ' ') &&
      std::sscanf(rest.c_str() + 1, "%2d:%2d%n", &hours, &minutes, &more) == 2) {
    rest = rest.substr(1 + static_cast<std::size_t>(more));
    more = 0;
    if (std::sscanf(rest.c_str(), ":%12lf%n", &seconds, &more) == 1)
      rest = rest.substr(static_cast<std::size_t>(more));
    rest = rest.substr(rest.find_first_not_of("0123456789") == rest.npos
                           ? rest.size()
                           : rest.find_first_not_of("0123456789"));
  }
  const auto offset = offset_of(rest);
  const year_month_day date{year{years}, month{months}, day{days}};
  if (!offset || !date.ok() || years < 1678 || years > 2261 || hours > 24 || minutes > 59 ||
      hours < 0 || minutes < 0 || !(seconds >= 0 && seconds < 62))
    return std::nullopt;
  const Index whole =
      duration_cast<std::chrono::seconds>(sys_days(date).time_since_epoch()).count() +
      hours * 3600 + minutes * 60 - *offset;
  return whole * 1'000'000'000 + std::llround(seconds * 1e9);
}

std::optional<TimeSpan> find_times(const DatasetPath& path, const DatasetFacts& facts) {
  const Search search(path, facts);
  if (auto span = search.from_scales()) return span;
  if (auto span = search.from_beside(path.names.back() + "Time", Clock{1e-6})) return span;
  if (auto span = search.from_text("PartStartTime")) return span;
  if (auto span = search.from_start()) return span;
  if (auto span = search.from_header()) return span;
  for (const char* name : {"time", "t"})
    if (auto span = search.from_beside(name, std::nullopt)) return span;
  return std::nullopt;
}

}  // namespace stencil::storage
