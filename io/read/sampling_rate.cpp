#include "io/read/sampling_rate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/common_names.hpp"
#include "io/metadata/conventions.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/metadata/unit.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/coordinates.hpp"

namespace stencil::storage {
namespace {

bool is_rate(double value) {
  return std::isfinite(value) && value > 0;
}

constexpr std::size_t most_holes = 10'000;  // each gap adds a box that is read

/// The axis to which a rate without coordinates belongs, and whether it is certain that the rate
/// belongs to this axis.
struct TimeAxis {
  int axis = 0;
  bool is_certain = false;
};

/// Collects the rates that are found; for each axis the first rate is kept.
class Findings {
 public:
  explicit Findings(DatasetFacts& facts) : facts_(facts) {
    facts.sampling_rate.assign(facts.dims.size(), 0.0);
    facts.sampling_source.assign(facts.dims.size(), "");
    facts.time_source.assign(facts.dims.size(), "");
  }
  void add(const TimeAxis& time, double rate, const std::string& source) {
    const auto at = static_cast<std::size_t>(time.axis);
    if (at >= facts_.dims.size() || facts_.sampling_rate[at] > 0 || !is_rate(rate)) return;
    facts_.sampling_rate[at] = rate;
    facts_.sampling_source[at] = one_line(source);
    if (time.is_certain) add_times(time.axis, source);
  }
  /// Records that an axis is a time axis; the times need not be evenly spaced.
  void add_times(int axis, const std::string& source) {
    std::string& found = facts_.time_source[static_cast<std::size_t>(axis)];
    if (found.empty()) found = one_line(source);
  }
  // each remark is added once, although `time` may be both a dimension scale and a dataset
  void remark(std::string text) {
    if (facts_.remarks.empty()) facts_.remarks.push_back(std::move(text));
  }
  /// Records the gaps in times, from the first source that has gaps.
  void add_holes(int axis, const std::vector<LeftOut::Place>& places, const std::string& source) {
    if (!facts_.join_notes.empty()) return;
    const bool are_few = places.size() <= most_holes;
    Index points = 0;
    for (const LeftOut::Place& place : places) {
      if (are_few) facts_.holes.push_back({axis, place.before, place.points});
      points = checked_add(points, place.points);
    }
    facts_.join_notes.push_back(fmt::format(
        "the times of {} leave out {} points in {} places, the first before point {}: masks reach "
        "across them as if nothing were missing{}",
        one_line(source), points, places.size(), places.front().before,
        are_few ? "; write input.gaps = fill or split, which treat them as missing"
                : ", as these are too many places to fill"));
  }
  const DatasetFacts& facts() const { return facts_; }

 private:
  DatasetFacts& facts_;
};

/// Returns the simplest number that equals a rate within its uncertainty: a number with few decimal
/// digits, or the reciprocal of such a number. For example, a rate of 1000 may be computed as
/// 1000.0001 from times in float32.
double simplest_rate(double rate, double relative_uncertainty) {
  constexpr int most_digits = 12;
  const auto rounded = [](double value, int digits) {
    return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
  };
  for (int digits = 1; digits <= most_digits; ++digits)
    for (const double candidate : {rounded(rate, digits), 1 / rounded(1 / rate, digits)})
      if (std::abs(candidate - rate) <= relative_uncertainty * rate) return candidate;
  return rate;
}

/// Records the gaps in times. @returns the step of the times outside gaps, in their unit
std::optional<double> add_left_out(hid_t times, int axis, const std::string& source,
                                   Findings& findings) {
  const auto left_out = left_out_of(times, findings.facts().dims[static_cast<std::size_t>(axis)]);
  if (left_out) findings.add_holes(axis, left_out->places, source);
  return left_out ? std::optional(left_out->step) : std::nullopt;
}

/// Finds the rate of evenly spaced times; adds a remark if the times give no rate.
void from_times(hid_t times, int axis, const std::string& units, const std::string& source,
                Findings& findings) {
  const auto unit = time_unit_of(units, attribute_text(times, "calendar"));
  if (!unit) return;
  findings.add_times(axis, source);
  const Index length = findings.facts().dims[static_cast<std::size_t>(axis)];
  if (const auto spacing = even_spacing(times, length)) {
    const double rate = unit->rate_of(spacing->step);
    findings.add({axis, true},
                 spacing->uncertainty > 0
                     ? simplest_rate(rate, spacing->uncertainty / std::abs(spacing->step))
                     : rate,
                 source);
  } else if (is_too_coarse(times, length)) {
    findings.remark(
        fmt::format("the times of {} are floating-point numbers with too few digits for their own "
                    "spacing",
                    one_line(source)));
  } else if (const auto step = add_left_out(times, axis, source, findings)) {
    findings.add({axis, true}, unit->rate_of(*step), source);
  }
}

void from_scales(hid_t dataset, Findings& findings) {
  for (int axis = 0; axis < static_cast<int>(findings.facts().dims.size()); ++axis)
    for (const Scale& scale : scales_of(dataset, axis))
      if (scale.dataset)
        from_times(scale.dataset, axis, attribute_text(scale.dataset, "units"),
                   "dimension scale " + scale.path, findings);
}

/// Returns the time axis, if the file names it; otherwise the first axis, which is certain only if
/// no other axis has more than one point.
TimeAxis time_axis_of(const AxisNames& axes, const std::vector<Index>& dims) {
  if (const auto named = axes.time()) return {static_cast<int>(*named), true};
  const std::vector<std::size_t> possible = axes.possible("time");
  if (possible.empty()) return {};
  if (possible.size() == 1) return {static_cast<int>(possible[0]), true};
  const bool is_only = std::all_of(dims.begin() + 1, dims.end(), [](Index n) { return n == 1; });
  return {0, is_only && dims[0] > 1};
}

/// Converts a rate, or a spacing in a unit, to samples per second; std::nullopt if the unit does
/// not fit.
std::optional<double> rate_in(double value, Meaning meaning, const std::string& unit) {
  if (meaning == Meaning::spacing) {
    const auto time = time_unit_of(unit);
    return time && value != 0 ? std::optional(time->rate_of(value)) : std::nullopt;
  }
  const auto hertz = Unit::parse("Hz"), own = Unit::parse(unit);
  const auto factor = own && hertz ? own->in(*hertz) : std::nullopt;
  return factor ? std::optional(value * *factor) : std::nullopt;
}

/// Greatest number of attributes of an object whose names are examined. An object with more
/// attributes follows no convention or is malformed, and listing them would take minutes.
constexpr hsize_t most_attributes = 1000;

hsize_t attribute_count(hid_t object) {
  H5O_info_t info{};
  checked(H5Oget_info2(object, &info, H5O_INFO_NUM_ATTRS), "cannot count attributes");
  return info.num_attrs;
}

/// Finds the rates that the conventions of a file give.
class RateSearch {
 public:
  RateSearch(const DatasetPath& path, const FileConventions& file, const DatasetFacts& facts)
      : path_(path), file_(file), time_(time_axis_of(file.axes(), facts.dims)) {}

  void from_rows(Findings& findings) const {
    for (const Convention* row : file_.rows())
      for (const Field& field : row->fields) {
        if (field.meaning == Meaning::rate || field.meaning == Meaning::spacing)
          from_field(field, findings);
        else if (field.meaning == Meaning::values)
          from_values(field, findings);
      }
  }

  /// Uses attributes whose names mean a rate in any file and include the unit of the rate.
  void from_common_names(Findings& findings) const {
    from_common_names(path_.dataset, findings);
    for (const hid_t group : groups_near(path_)) from_common_names(group, findings);
  }

  void from_pulses(Findings& findings) const {
    for (const Convention* row : file_.rows())
      for (const Field& field : row->fields)
        if (field.meaning == Meaning::pulse_rate) from_field(field, findings);
  }

 private:
  void add(const Field& field, hid_t object, const std::vector<double>& numbers,
           const std::string& source, Findings& findings) const {
    const std::size_t at = field.component < 0 ? 0 : static_cast<std::size_t>(field.component);
    if (at >= numbers.size() || numbers[at] > field.most) return;
    const auto rate = rate_in(numbers[at], field.meaning, unit_in(object, field));
    if (!rate) return;
    if (field.axis == "time") return findings.add(time_, *rate, source);
    const std::vector<std::size_t> axes = file_.axes_of(field, at);
    if (axes.size() == 1) findings.add({static_cast<int>(axes[0]), true}, *rate, source);
  }

  void from_field(const Field& field, Findings& findings) const {
    const Place place(field.where);
    if (place.path.empty()) {
      add(field, path_.dataset, stated_numbers(path_.dataset, place.attribute),
          fmt::format("attribute {}", place.attribute), findings);
      for (const hid_t group : groups_near(path_))
        if (const auto numbers = stated_numbers(group, place.attribute); !numbers.empty())
          add(field, group, numbers,
              fmt::format("attribute {} of {}", place.attribute, object_name(group)), findings);
      return;
    }
    const Handle object = file_.object_at(place.path).object;
    if (!object) return;
    if (!place.attribute.empty())
      add(field, object, stated_numbers(object, place.attribute),
          fmt::format("attribute {} of {}", place.attribute, object_name(object)), findings);
    else if (H5Iget_type(object) == H5I_DATASET)
      add(field, object, few_numbers(object, field.component < 0 ? 1 : field.component + 1),
          "dataset " + object_name(object), findings);
  }

  void from_values(const Field& field, Findings& findings) const {
    const Handle object = file_.object_at(Place(field.where).path).object;
    if (!object || H5Iget_type(object) != H5I_DATASET) return;
    auto axis = axis_as_long_as(object, findings.facts().dims);
    if (!axis && time_.is_certain &&
        has_length(object, findings.facts().dims[static_cast<std::size_t>(time_.axis)]))
      axis = time_.axis;
    if (axis && field.axis == "time")
      from_times(object, *axis, unit_in(object, field), "dataset " + object_name(object), findings);
  }

  void from_common_names(hid_t object, Findings& findings) const {
    if (attribute_count(object) > most_attributes) return;
    for (const std::string& name : attribute_names(object)) {
      const auto quantity = quantity_named(name);
      if (!quantity || !quantity->is_certain || quantity->axis != "time" ||
          quantity->unit.empty() || !file_.fields_of("", name).empty() ||
          (quantity->meaning != Meaning::rate && quantity->meaning != Meaning::spacing))
        continue;
      const std::vector<double> numbers = stated_numbers(object, name);
      if (numbers.size() != 1) continue;
      if (const auto rate = rate_in(numbers[0], quantity->meaning, quantity->unit))
        findings.add(time_, *rate,
                     object == path_.dataset
                         ? fmt::format("attribute {}", name)
                         : fmt::format("attribute {} of {}", name, object_name(object)));
    }
  }

  const DatasetPath& path_;
  const FileConventions& file_;
  TimeAxis time_;
};

}  // namespace

std::string unit_in(hid_t object, const Field& field) {
  std::string_view unit = field.unit;
  const bool may_have_units = field.meaning == Meaning::values;
  if (may_have_units && unit != "@units")
    if (std::string own = attribute_text(object, "units"); !own.empty()) return own;
  if (unit.starts_with("GPS ")) unit.remove_prefix(4);
  if (!unit.starts_with('@')) return std::string(unit);
  const std::string text = attribute_text(object, std::string(unit.substr(1)));
  return text.empty() && !may_have_units ? "s" : text;
}

Handle member(hid_t group, const std::string& name, H5I_type_t kind) {
  Handle object = child_of(group, name.c_str());
  if (object && H5Iget_type(object) != kind) object = Handle();
  return object;
}

std::optional<int> axis_as_long_as(hid_t dataset, const std::vector<Index>& dims) {
  std::optional<int> found;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!has_length(dataset, dims[axis])) continue;
    if (found) return std::nullopt;
    found = static_cast<int>(axis);
  }
  return found;
}

void find_sampling_rate(const DatasetPath& path, DatasetFacts& facts) {
  Findings findings(facts);
  const FileConventions file(path, facts.dims);
  const RateSearch search(path, file, facts);
  from_scales(path.dataset, findings);
  search.from_rows(findings);
  search.from_common_names(findings);
  search.from_pulses(findings);
}

}  // namespace stencil::storage
