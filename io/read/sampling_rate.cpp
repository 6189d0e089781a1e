#include "io/read/sampling_rate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/read/coordinates.hpp"

namespace stencil::storage {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_time(const std::string& name) {
  const std::string word = lower(name);
  return word == "time" || word == "t" || word == "times";
}

bool is_rate(double value) {
  return std::isfinite(value) && value > 0;
}

/// The axis that a rate without coordinates belongs to, and whether the file says so.
struct TimeAxis {
  int axis = 0;
  bool is_certain = false;
};

/// Collects the rates found; the first one of an axis is kept.
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
  /// Times that need not be even.
  void add_times(int axis, const std::string& source) {
    std::string& found = facts_.time_source[static_cast<std::size_t>(axis)];
    if (found.empty()) found = one_line(source);
  }
  void remark(std::string text) {  // a dimension scale may be the dataset `time`, too
    if (facts_.remarks.empty()) facts_.remarks.push_back(std::move(text));
  }
  void note(std::string text) {
    if (facts_.join_notes.empty()) facts_.join_notes.push_back(std::move(text));
  }
  const DatasetFacts& facts() const { return facts_; }

 private:
  DatasetFacts& facts_;
};

/// The number of fewest decimal digits, or the reciprocal of one, that lies as near to a rate as
/// its uncertainty allows: times in float32 tell 1000.0001 where 1000 is meant.
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

/// Times that leave points out are noted.
void note_left_out(hid_t times, Index length, const std::string& source, Findings& findings) {
  if (const auto left_out = left_out_of(times, length))
    findings.note(fmt::format(
        "the times of {} leave out {} points in {} places, the first before point {}: masks reach "
        "across them as if nothing were missing; filter the stretches by themselves, by "
        "input.select = START:STOP and input.edges = boundary",
        one_line(source), left_out->points, left_out->places, left_out->before));
}

/// The rate of evenly spaced times; what keeps them from telling one is remarked.
void from_times(hid_t times, int axis, const std::string& source, Findings& findings) {
  const auto unit = time_unit_of(attribute_text(times, "units"), attribute_text(times, "calendar"));
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
  } else {
    note_left_out(times, length, source, findings);
  }
}

void from_scales(hid_t dataset, Findings& findings) {
  for (int axis = 0; axis < static_cast<int>(findings.facts().dims.size()); ++axis)
    for (const Scale& scale : scales_of(dataset, axis))
      if (scale.dataset) from_times(scale.dataset, axis, "dimension scale " + scale.path, findings);
}

/// The attributes of one signal that hold its spacing, and the unit of it: those of LIGO, gwpy and
/// PyCBC.
void from_spacing(hid_t dataset, Findings& findings) {
  if (findings.facts().dims.size() != 1) return;
  for (const auto& [name, units, needs_units] : spacing_names) {
    const auto spacing = attribute_number(dataset, name);
    const std::string unit = *units == '\0' ? "" : attribute_text(dataset, units);
    if (!spacing || (unit.empty() && needs_units)) continue;
    if (const auto time = unit.empty() ? TimeUnit{} : time_unit_of(unit))
      findings.add({0, true}, time->rate_of(*spacing), fmt::format("attribute {}", name));
  }
}

/// The attribute in the dataset or in the nearest group above it.
void from_rate(const DatasetPath& path, const char* name, const TimeAxis& time,
               Findings& findings) {
  if (const auto rate = attribute_number(path.dataset, name))
    findings.add(time, *rate, fmt::format("attribute {}", name));
  for (std::size_t depth = path.groups.size(); depth-- > 0;)
    if (const auto rate = attribute_number(path.groups[depth], name))
      findings.add(time, *rate,
                   fmt::format("attribute {} of {}", name, object_name(path.groups[depth])));
}

/// The format of such files says which axis is that of time.
void from_header(const DatasetPath& path, int axis, Findings& findings) {
  const Handle header = member(path.groups.back(), "header", H5I_GROUP);
  const Handle step = header ? member(header, "dt", H5I_DATASET) : Handle();
  if (!step) return;
  if (const auto seconds = single_number(step))
    findings.add({axis, true}, 1 / *seconds, "dataset " + object_name(step));
}

void from_sibling(const DatasetPath& path, Findings& findings) {
  for (const char* name : {"time", "t"}) {
    const Handle times = member(path.groups.back(), name, H5I_DATASET);
    if (!times) continue;
    if (const auto axis = axis_as_long_as(times, findings.facts().dims))
      from_times(times, *axis, "dataset " + object_name(times), findings);
  }
}

/// The times of ProdML, in microseconds, whose rate is that of an attribute.
void from_stamps(const DatasetPath& path, Findings& findings) {
  const Handle times = member(path.groups.back(), path.names.back() + "Time", H5I_DATASET);
  const auto axis = times ? axis_as_long_as(times, findings.facts().dims) : std::nullopt;
  if (axis)
    note_left_out(times, findings.facts().dims[static_cast<std::size_t>(*axis)],
                  "dataset " + object_name(times), findings);
}

/// The axis that the file names as that of time; else the first one, which is certain only if no
/// other has more than one point.
TimeAxis time_axis_of(hid_t dataset, const std::vector<Index>& dims) {
  if (const auto named = named_time_axis(dataset, static_cast<int>(dims.size())))
    return {*named, true};
  const bool is_only = std::all_of(dims.begin() + 1, dims.end(), [](Index n) { return n == 1; });
  return {0, is_only && (dims.size() == 1 || dims[0] > 1)};
}

}  // namespace

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

std::optional<int> named_time_axis(hid_t dataset, int rank) {
  const std::vector<std::string> names = attribute_texts(dataset, "Dimensions");
  for (int axis = 0; axis < rank && axis < static_cast<int>(names.size()); ++axis)
    if (is_time(names[static_cast<std::size_t>(axis)])) return axis;
  for (int axis = 0; axis < rank; ++axis) {
    if (is_time(label_of(dataset, axis))) return axis;
    for (const Scale& scale : scales_of(dataset, axis))
      if (is_time(scale.path.substr(scale.path.rfind('/') + 1))) return axis;
  }
  return std::nullopt;
}

void find_sampling_rate(const DatasetPath& path, DatasetFacts& facts) {
  Findings findings(facts);
  const TimeAxis time = time_axis_of(path.dataset, facts.dims);
  from_scales(path.dataset, findings);
  from_spacing(path.dataset, findings);
  for (const char* name : rate_names) from_rate(path, name, time, findings);
  from_header(path, time.axis, findings);
  from_sibling(path, findings);
  from_stamps(path, findings);
  from_rate(path, "PulseRate", time, findings);
}

}  // namespace stencil::storage
