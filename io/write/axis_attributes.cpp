#include "io/write/axis_attributes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/times.hpp"
#include "io/write/shifted_times.hpp"

namespace stencil::storage {
namespace {

enum class Tells { count, spacing, rate, nyquist, first, index, part, last, range, duration, step };

/// What attributes are called in the files of acquisition systems, of ProdML, LIGO, gwpy, netCDF
/// (ACDD). Letters and digits alone, lower case: `start_time` and `StartTime` are one word.
struct Word {
  std::string_view name;
  Tells tells;
  std::vector<std::size_t> DescribedAxes::*of;
  std::string_view spacing = {};  ///< of `first`: the attribute that also gives the unit
};

constexpr auto along = &DescribedAxes::time, across = &DescribedAxes::across,
               along_x = &DescribedAxes::x, anywhere = &DescribedAxes::any;

const Word words[] = {
    {"count", Tells::count, along},
    {"numberofsamples", Tells::count, along},
    {"numsamples", Tells::count, along},
    {"nsamples", Tells::count, along},
    {"numberofpoints", Tells::count, along},
    {"npts", Tells::count, along},
    {"nt", Tells::count, along},
    {"outputdatarate", Tells::rate, along},
    {"samplingfrequency", Tells::rate, along},
    {"samplingrate", Tells::rate, along},
    {"samplerate", Tells::rate, along},
    {"maximumfrequency", Tells::nyquist, along},
    {"dt", Tells::spacing, along},
    {"deltat", Tells::spacing, along},
    {"samplinginterval", Tells::spacing, along},
    {"sampleinterval", Tells::spacing, along},
    {"samplingperiod", Tells::spacing, along},
    {"timestep", Tells::spacing, along},
    {"timecoverageresolution", Tells::step, along},
    {"t0", Tells::first, along, "dt"},
    {"starttime", Tells::first, along, "delta_t"},
    {"partstarttime", Tells::first, along},
    {"timecoveragestart", Tells::first, along},
    {"epoch", Tells::first, along},
    {"startindex", Tells::part, along},
    {"endindex", Tells::part, along},
    {"endtime", Tells::last, along},
    {"stoptime", Tells::last, along},
    {"partendtime", Tells::last, along},
    {"timecoverageend", Tells::last, along},
    {"duration", Tells::duration, along},
    {"timecoverageduration", Tells::duration, along},
    {"npoints", Tells::count, along_x},
    {"nx", Tells::count, along_x},
    {"xspacing", Tells::spacing, along_x},
    {"dx", Tells::spacing, along_x},
    {"xstart", Tells::first, along_x, "Xspacing"},
    {"x0", Tells::first, along_x, "dx"},
    {"numberofloci", Tells::count, across},
    {"numberofchannels", Tells::count, across},
    {"spatialsamplinginterval", Tells::spacing, across},
    {"channelspacing", Tells::spacing, across},
    {"startlocusindex", Tells::index, across},
    {"geospatiallatmin", Tells::range, anywhere},
    {"geospatiallatmax", Tells::range, anywhere},
    {"geospatiallatresolution", Tells::step, anywhere},
    {"geospatiallonmin", Tells::range, anywhere},
    {"geospatiallonmax", Tells::range, anywhere},
    {"geospatiallonresolution", Tells::step, anywhere},
    {"geospatialverticalmin", Tells::range, anywhere},
    {"geospatialverticalmax", Tells::range, anywhere},
    {"geospatialverticalresolution", Tells::step, anywhere},
};

const Word* find_word(const std::string& name) {
  std::string plain;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto found = std::find_if(std::begin(words), std::end(words),
                                  [&](const Word& word) { return word.name == plain; });
  return found == std::end(words) ? nullptr : found;
}

/// Whether a statement about the input's points also holds for the output's points.
bool still_holds(Tells tells, const AxisSampling& s, Index inputs) {
  const bool same_first = s.first == 0,
             same_last = s.first + (s.count - 1) * s.stride + 1 == inputs;
  switch (tells) {
    case Tells::count:
      return s.count == inputs;
    case Tells::spacing:
    case Tells::rate:
    case Tells::nyquist:
    case Tells::step:
      return s.stride == 1;
    case Tells::first:
      return same_first;
    case Tells::index:
    case Tells::part:
      return same_first && s.stride == 1;
    case Tells::last:
      return same_last;
    case Tells::range:
      return same_first && same_last;
    case Tells::duration:
      return s.count * s.stride == inputs;
  }
  return false;
}

double rate_of(const OutputSpec& spec, std::size_t axis) {
  return axis < spec.input.sampling_rate.size() ? spec.input.sampling_rate[axis] : 0;
}

/// The points that an input spans: from the first to the last one, or with a whole step for each.
/// Nothing if it is neither.
struct Span {
  bool ends_at_last = true;

  static std::optional<Span> of(double points, Index inputs) {
    const double beyond = points - static_cast<double>(inputs);
    if (std::abs(beyond + 1) <= 0.5) return Span{true};
    if (std::abs(beyond) <= 0.5) return Span{false};
    return std::nullopt;
  }
  /// Of the output, in steps of the input.
  Index outputs(const AxisSampling& s) const {
    return (s.count - (ends_at_last ? 1 : 0)) * s.stride;
  }
  Index inputs(Index n) const { return n - (ends_at_last ? 1 : 0); }
};

std::optional<double> mended_duration(double seconds, const OutputSpec& spec, std::size_t axis) {
  const double rate = rate_of(spec, axis);
  const auto span = Span::of(seconds * rate, spec.input.described().dims[axis]);
  if (!(rate > 0) || !span) return std::nullopt;
  return static_cast<double>(span->outputs(spec.sampling[axis])) / rate;
}

/// The value for the output; nothing if it depends on the format of the file.
std::optional<double> mended(hid_t object, const Word& word, double value, const OutputSpec& spec,
                             std::size_t axis) {
  const AxisSampling& s = spec.sampling[axis];
  const auto stride = static_cast<double>(s.stride), first = static_cast<double>(s.first);
  if (word.tells == Tells::count && value == static_cast<double>(spec.input.described().dims[axis]))
    return static_cast<double>(s.count);
  if (word.tells == Tells::spacing) return value * stride;
  if (word.tells == Tells::rate) return value / stride;
  if (word.tells == Tells::nyquist && axis < spec.input.sampling_rate.size() &&
      2 * value == spec.input.sampling_rate[axis])
    return value / stride;
  // a locus counts in spacings from the beginning of the fibre
  if (word.tells == Tells::index && std::fmod(value + first, stride) == 0)
    return (value + first) / stride;
  if (word.tells == Tells::duration) return mended_duration(value, spec, axis);
  if (word.tells == Tells::first && !word.spacing.empty())
    if (const auto step = attribute_number(object, std::string(word.spacing)))
      return value + first * *step;
  return std::nullopt;
}

/// Writes an integer if the number is one and the attribute was one, else a floating-point number.
void replace_number(hid_t object, const std::string& name, double value) {
  const std::string what = "cannot adjust the attribute " + one_line(name);
  const Handle attribute = owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle type = owned(H5Aget_type(attribute), H5Tclose, what);
  const bool was_integer = H5Tget_class(type) == H5T_INTEGER;
  if (was_integer && value == std::trunc(value) && std::abs(value) < 9e15)
    write_attribute(object, name, static_cast<Index>(value));
  else
    write_attribute(object, name, value);
}

/// The time that an attribute of the object gives to the first point, as text; empty if there is
/// none.
std::string start_beside(hid_t object) {
  for (const std::string& name : attribute_names(object))
    if (const Word* word = find_word(name); word && word->tells == Tells::first)
      if (const std::string text = attribute_text(object, name); time_of(text)) return text;
  return "";
}

/// A date and time for the output, which the rate tells how much later it is; nothing if that is
/// not certain: an end is only moved where it fits the start beside it.
std::optional<std::string> mended_time(hid_t object, const Word& word, const std::string& text,
                                       const OutputSpec& spec, std::size_t axis) {
  const AxisSampling& s = spec.sampling[axis];
  const double rate = rate_of(spec, axis);
  if (!(rate > 0) || (word.tells != Tells::first && word.tells != Tells::last)) return std::nullopt;
  Index points = s.first;
  if (word.tells == Tells::last) {
    const auto start = time_of(start_beside(object)), end = time_of(text);
    if (!start || !end) return std::nullopt;
    const Index inputs = spec.input.described().dims[axis];
    const auto span = Span::of(static_cast<double>(*end - *start) * 1e-9 * rate, inputs);
    if (!span) return std::nullopt;
    points += span->outputs(s) - span->inputs(inputs);
  }
  const double later_by = static_cast<double>(points) * 1e9 / rate;
  return std::abs(later_by) < 9e18 ? later(text, std::llround(later_by)) : std::nullopt;
}

/// Writes a text as the attribute held one: of one length, or of any.
void replace_text(hid_t object, const std::string& name, const std::string& text) {
  const std::string what = "cannot adjust the attribute " + one_line(name);
  Handle attribute = owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle stored = owned(H5Aget_type(attribute), H5Tclose, what);
  if (H5Tis_variable_str(stored) > 0) return write_attribute(object, name, text);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);
  const Handle space = owned(H5Aget_space(attribute), H5Sclose, what);
  checked(attribute.close(), what);
  checked(H5Tset_size(type, text.size() + (H5Tget_strpad(type) == H5T_STR_NULLTERM ? 1 : 0)), what);
  checked(H5Adelete(object, name.c_str()), what);
  attribute = owned(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                    H5Aclose, what);
  checked(H5Awrite(attribute, type, text.c_str()), what);
}

}  // namespace

void mend_axis_attributes(hid_t object, const OutputSpec& spec, const DescribedAxes& axes,
                          Skipped& skipped) {
  const auto is_same = [&](std::size_t axis) {
    return still_holds(Tells::index, spec.sampling[axis], spec.input.described().dims[axis]) &&
           still_holds(Tells::count, spec.sampling[axis], spec.input.described().dims[axis]);
  };
  if (std::all_of(axes.any.begin(), axes.any.end(), is_same)) return;
  std::vector<std::pair<std::string, double>> replaced;  // later: a start needs the old spacing
  std::vector<std::pair<std::string, std::string>> moved;
  for (const std::string& name : attribute_names(object)) {
    const Word* word = find_word(name);
    if (word == nullptr) continue;
    const std::vector<double> numbers =
        attribute_numbers(object, name).value_or(std::vector<double>{});
    const bool is_number = numbers.size() == 1;
    if (word->tells == Tells::count && is_number && numbers[0] == double(axes.inputs)) {
      if (axes.inputs != axes.outputs) replaced.emplace_back(name, double(axes.outputs));
      continue;
    }
    const std::vector<std::size_t>& told = axes.*word->of;
    if (std::all_of(told.begin(), told.end(), [&](std::size_t axis) {
          return still_holds(word->tells, spec.sampling[axis], spec.input.described().dims[axis]);
        }))
      continue;
    if (is_number && told.size() == 1)
      if (const auto number = mended(object, *word, numbers[0], spec, told.front())) {
        replaced.emplace_back(name, *number);
        continue;
      }
    if (const auto texts = attribute_texts(object, name); texts.size() == 1 && told.size() == 1)
      if (const auto text = mended_time(object, *word, texts[0], spec, told.front())) {
        moved.emplace_back(name, *text);
        continue;
      }
    checked(H5Adelete(object, name.c_str()), "cannot remove the attribute " + one_line(name));
    skipped.push_back(fmt::format("attribute {} of {}, which tells of other points", one_line(name),
                                  one_line(object_name(object))));
  }
  for (const auto& [name, value] : replaced) replace_number(object, name, value);
  for (const auto& [name, text] : moved) replace_text(object, name, text);
}

}  // namespace stencil::storage
