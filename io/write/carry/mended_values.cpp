#include "io/write/carry/mended_values.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/metadata/written_date.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/read/times.hpp"
#include "io/write/carry/shifted_times.hpp"

namespace stencil::storage {
namespace {

struct ListOfTimes {
  Handle dataset;
  TimeScale clock;
};

/// Returns the times of the points of the input, from a dataset that a convention describes;
/// std::nullopt if there is no such dataset.
std::optional<ListOfTimes> list_of_times(const StatedValue& at, const OutputSpec& spec) {
  const FileConventions* file = at.described->file;
  if (!file) return std::nullopt;
  for (const Convention* row : file->rows())
    for (const Field& field : row->fields) {
      if (field.meaning != Meaning::values || field.axis != "time") continue;
      Handle list = file->object_at(Place(field.where).path).object;
      if (!list || H5Iget_type(list) != H5I_DATASET ||
          !has_length(list, spec.input.described().dims[at.axis]))
        continue;
      const auto clock = time_scale_of(unit_in(list, field), attribute_text(list, "calendar"));
      if (clock) return ListOfTimes{std::move(list), *clock};
    }
  return std::nullopt;
}

/// Returns the sampling rate along an axis that the run used or the file states; 0 if the rate is
/// not known.
double stated_rate(const OutputSpec& spec, std::size_t axis) {
  if (axis < spec.used_rate.size() && spec.used_rate[axis] > 0) return spec.used_rate[axis];
  return axis < spec.input.sampling_rate.size() ? spec.input.sampling_rate[axis] : 0;
}

/// Like stated_rate(), but also 0 if listed times are not evenly spaced or have gaps. Gaps do not
/// matter if they are filled or if the input is split at them, because the points of the output are
/// then numbered as if no point were missing.
double rate_of(const StatedValue& at, const OutputSpec& spec) {
  const double rate = stated_rate(spec, at.axis);
  if (spec.input.joined_axis == static_cast<int>(at.axis)) return rate;
  const auto list = rate > 0 ? list_of_times(at, spec) : std::nullopt;
  const Index inputs = spec.input.described().dims[at.axis];
  return list && !even_spacing(list->dataset, inputs) ? 0 : rate;
}

constexpr Index most_numbers = 16;  // limit for a dataset of a few numbers

/// The meaning of a length in the input: either the distance from the first to the last point, or
/// the number of points times the spacing.
struct Span {
  bool ends_at_last = true;

  static std::optional<Span> of(double points, Index inputs) {
    const double beyond = points - static_cast<double>(inputs);
    if (std::abs(beyond + 1) <= 0.5) return Span{true};
    if (std::abs(beyond) <= 0.5) return Span{false};
    return std::nullopt;
  }
  /// Returns the length of the output, in steps of the input.
  Index outputs(const AxisSampling& s) const {
    return (s.count - (ends_at_last ? 1 : 0)) * s.stride;
  }
  Index inputs(Index n) const { return n - (ends_at_last ? 1 : 0); }
};

std::optional<double> number_beside(const StatedValue& at, const std::string& name) {
  if (const auto literal = number_in(name)) return literal;
  std::vector<double> numbers = stated_numbers(at.object, name);
  if (numbers.empty() && at.described->file)
    if (const Handle dataset = at.described->file->object_at(name).object;
        dataset && H5Iget_type(dataset) == H5I_DATASET)
      numbers = few_numbers(dataset, most_numbers);
  if (numbers.size() == 1) return numbers[0];
  return at.component < numbers.size() ? std::optional(numbers[at.component]) : std::nullopt;
}

/// Returns the product `a*b`, or the difference in `low..high` divided by the number of points.
std::optional<double> spacing_beside(const StatedValue& at, const OutputSpec& spec) {
  const std::string& words = at.statement->spacing;
  const auto inputs = static_cast<double>(spec.input.described().dims[at.axis]);
  if (const std::size_t dots = words.find(".."); dots != words.npos) {
    const auto low = number_beside(at, words.substr(0, dots)),
               high = number_beside(at, words.substr(dots + 2));
    return low && high ? std::optional((*high - *low) / inputs) : std::nullopt;
  }
  double product = 1;
  for (std::size_t from = 0; from <= words.size();) {
    const std::size_t end = std::min(words.find('*', from), words.size());
    const auto factor = number_beside(at, words.substr(from, end - from));
    if (!factor) return std::nullopt;
    product *= *factor;
    from = end + 1;
  }
  return product;
}

/// Distance of neighbouring points of the input, in the unit of the statement.
std::optional<double> spacing_of(const StatedValue& at, const OutputSpec& spec) {
  if (!at.statement->spacing.empty()) return spacing_beside(at, spec);
  const double rate = rate_of(at, spec);
  Field field{"", at.statement->meaning, "", at.statement->unit};
  const std::string text = at.statement->meaning == Meaning::length && at.statement->unit.empty()
                               ? "s"
                               : unit_in(at.object, field);
  const auto unit = text.empty() ? std::nullopt : time_unit_of(text);
  if (!unit || !(rate > 0)) return std::nullopt;
  return 1 / rate / unit->seconds();
}

/// Returns the value of another attribute of the same object: the attribute that describes the
/// first point along the same axis and has the same AxisStatement::spacing.
template <class Value, class Read>
std::optional<Value> start_beside(const StatedValue& at, const OutputSpec& spec, const Read& read) {
  for (const std::string& name : attribute_names(at.object))
    for (const AxisStatement& other :
         statements_of(*at.described, at.object, name, stated_numbers(at.object, name), spec))
      if (other.meaning == Meaning::first && other.is_certain &&
          other.axes == std::vector{at.axis} && other.spacing == at.statement->spacing)
        if (const std::optional<Value> value = read(name)) return value;
  return std::nullopt;
}

/// Like start_beside(), for a dataset next to the described dataset; the result is the value in the
/// input.
std::optional<double> start_dataset(const StatedValue& at) {
  if (!at.described->file) return std::nullopt;
  for (const Convention* row : at.described->file->rows())
    for (const Field& field : row->fields) {
      const Place place(field.where);
      if (field.meaning != Meaning::first || !place.attribute.empty() ||
          field.spacing != at.statement->spacing ||
          at.described->file->axes_of(field, 0) != std::vector{at.axis})
        continue;
      const Handle start = at.described->file->object_at(place.path).object;
      if (start && H5Iget_type(start) == H5I_DATASET) return single_number(start);
    }
  return std::nullopt;
}

/// Returns the number of steps of the input by which the last point of the output lies after the
/// last point of the input; std::nullopt if the distance from start to end does not fit the input.
std::optional<Index> end_moves_by(double points, const StatedValue& at, const OutputSpec& spec) {
  const AxisSampling& s = spec.sampling[at.axis];
  const Index inputs = spec.input.described().dims[at.axis];
  const auto span = Span::of(points, inputs);
  if (!span) return std::nullopt;
  return s.first + span->outputs(s) - span->inputs(inputs);
}

std::optional<double> mended_end(const StatedValue& at, double value, double step,
                                 const OutputSpec& spec) {
  auto start = start_beside<double>(at, spec, [&](const std::string& name) {
    const std::vector<double> numbers = stated_numbers(at.object, name);
    return numbers.size() == 1 ? std::optional(numbers[0]) : std::nullopt;
  });
  if (!start) start = start_dataset(at);
  const auto moves = start ? end_moves_by((value - *start) / step, at, spec) : std::nullopt;
  if (!moves) return std::nullopt;
  return value + static_cast<double>(*moves) * step;
}

/// Returns whether a value is half of a rate; measured rates may differ slightly from stated rates.
bool is_half(double value, double rate) {
  constexpr double inexactness = 1e-3;
  return std::abs(2 * value - rate) <= inexactness * rate;
}

/// Returns the time of a point of the input, from the list of times that a convention describes;
/// std::nullopt if there is no such list.
std::optional<Nanoseconds> listed_time(const StatedValue& at, Index point, const OutputSpec& spec) {
  const auto list = list_of_times(at, spec);
  const Index inputs = spec.input.described().dims[at.axis];
  const auto value = list ? value_at(list->dataset, inputs, point) : std::nullopt;
  return value ? list->clock.at(*value) : std::nullopt;
}

/// Returns how much later the point that a date describes is in the output than in the input. This
/// time is computed from the rate or from the list of times.
std::optional<Nanoseconds> later_by(const StatedValue& at, Index points, Index from,
                                    const OutputSpec& spec) {
  const double rate = rate_of(at, spec);
  const double shift = rate > 0 ? static_cast<double>(points) * 1e9 / rate : 0;
  if (rate > 0)
    return std::abs(shift) < 9e18 ? std::optional(Nanoseconds{std::llround(shift)}) : std::nullopt;
  const auto old = listed_time(at, from, spec), now = listed_time(at, from + points, spec);
  return old && now ? std::optional(*now - *old) : std::nullopt;
}

/// Adjusts a start or an end that is given in a unit of time. Used for times that are not evenly
/// spaced; the new value comes from the list of times.
std::optional<double> mended_by_list(const StatedValue& at, double value, const OutputSpec& spec) {
  const Field field{"", at.statement->meaning, "", at.statement->unit};
  const auto unit = time_unit_of(unit_in(at.object, field));
  const AxisSampling& s = spec.sampling[at.axis];
  const Index last = spec.input.described().dims[at.axis] - 1;
  const bool is_end = at.statement->meaning == Meaning::last;
  if (!unit || (!is_end && at.statement->meaning != Meaning::first)) return std::nullopt;
  const Index from = is_end ? last : 0, to = is_end ? s.first + (s.count - 1) * s.stride : s.first;
  const auto old = listed_time(at, from, spec), now = listed_time(at, to, spec);
  if (!old || !now) return std::nullopt;
  return value + static_cast<double>(*now - *old) * 1e-9 / unit->seconds();
}

/// Adjusts a value that depends on the spacing of the input.
std::optional<double> mended_by_spacing(const StatedValue& at, double value,
                                        const OutputSpec& spec) {
  const auto step = spacing_of(at, spec);
  if (!step) return mended_by_list(at, value, spec);
  if (*step == 0) return std::nullopt;
  const AxisSampling& s = spec.sampling[at.axis];
  const Index inputs = spec.input.described().dims[at.axis];
  const auto stride = static_cast<double>(s.stride), first = static_cast<double>(s.first);
  const double edge = (first + 0.5 - 0.5 * stride) * *step;
  switch (at.statement->meaning) {
    case Meaning::first:
      return value + first * *step;
    case Meaning::last:
      return mended_end(at, value, *step, spec);
    case Meaning::low_edge:
      return value + edge;
    case Meaning::high_edge:
      return value + edge + (static_cast<double>(s.count) * stride - double(inputs)) * *step;
    case Meaning::length:
      if (const auto span = Span::of(value / *step, inputs))
        return static_cast<double>(span->outputs(s)) * *step;
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

/// Number of steps of the input between two dates, from the rate or else from the list of times;
/// std::nullopt if the dates do not fit the list.
std::optional<double> points_between(const StatedValue& at, Nanoseconds start, Nanoseconds end,
                                     const OutputSpec& spec) {
  const double rate = rate_of(at, spec);
  if (rate > 0) return static_cast<double>(end - start) * 1e-9 * rate;
  const Index last = spec.input.described().dims[at.axis] - 1;
  const auto first_time = listed_time(at, 0, spec), last_time = listed_time(at, last, spec);
  if (!first_time || !last_time || last < 1) return std::nullopt;
  const Nanoseconds all = *last_time - *first_time, tolerance = all / last / 100;
  const Nanoseconds off = end - start - all;
  if (off > tolerance || off < -tolerance) return std::nullopt;
  return static_cast<double>(last);
}

}  // namespace

std::optional<double> mended_number(const StatedValue& at, double value, const OutputSpec& spec) {
  const AxisSampling& s = spec.sampling[at.axis];
  const auto inputs = static_cast<double>(spec.input.described().dims[at.axis]);
  const auto stride = static_cast<double>(s.stride), first = static_cast<double>(s.first);
  switch (at.statement->meaning) {
    case Meaning::count:
      return value == inputs ? std::optional(static_cast<double>(s.count)) : std::nullopt;
    case Meaning::spacing:
      return value * stride;
    case Meaning::rate:
    case Meaning::fraction:
      return value / stride;
    case Meaning::nyquist:
      return is_half(value, stated_rate(spec, at.axis)) ? std::optional(value / stride)
                                                        : std::nullopt;
    case Meaning::last_index: {
      StatedValue start = at;
      start.component -= 1;
      const auto index = number_beside(start, at.statement->spacing);
      if (!index || std::fmod(*index + first, stride) != 0) return std::nullopt;
      return (*index + first) / stride + static_cast<double>(s.count - 1);
    }
    case Meaning::index:  // in spacings of the output from the origin
      return std::fmod(value + first, stride) == 0 ? std::optional((value + first) / stride)
                                                   : std::nullopt;
    default:
      return mended_by_spacing(at, value, spec);
  }
}

std::optional<std::string> mended_date(const StatedValue& at, const std::string& text,
                                       const OutputSpec& spec) {
  const auto iso = [&](const std::string& date) {
    return WrittenDate(date, at.statement->unit).iso();
  };
  const Index last = spec.input.described().dims[at.axis] - 1;
  Index points = spec.sampling[at.axis].first;
  const bool is_end = at.statement->meaning == Meaning::last;
  if (is_end) {
    const auto start = start_beside<Nanoseconds>(at, spec, [&](const std::string& name) {
      return time_of(iso(stated_text(at.object, name)));
    });
    const auto end = time_of(iso(text));
    const auto between = start && end ? points_between(at, *start, *end, spec) : std::nullopt;
    const auto moves = between ? end_moves_by(*between, at, spec) : std::nullopt;
    if (!moves) return std::nullopt;
    points = *moves;
  } else if (at.statement->meaning != Meaning::first) {
    return std::nullopt;
  }
  const auto shift = later_by(at, points, is_end ? last : 0, spec);
  const auto moved = shift ? later(iso(text), *shift) : std::nullopt;
  return moved ? std::optional(WrittenDate(text, at.statement->unit).written(*moved))
               : std::nullopt;
}

}  // namespace stencil::storage
