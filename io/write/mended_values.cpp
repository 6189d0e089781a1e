#include "io/write/mended_values.hpp"

#include <cmath>
#include <cstdlib>
#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/read/times.hpp"
#include "io/write/shifted_times.hpp"

namespace stencil::storage {
namespace {

double rate_of(const OutputSpec& spec, std::size_t axis) {
  if (axis < spec.used_rate.size() && spec.used_rate[axis] > 0) return spec.used_rate[axis];
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

std::optional<double> number_beside(const StatedValue& at, const std::string& name) {
  if (const auto literal = number_in(name)) return literal;
  const std::vector<double> numbers = stated_numbers(at.object, name);
  if (numbers.size() == 1) return numbers[0];
  return at.component < numbers.size() ? std::optional(numbers[at.component]) : std::nullopt;
}

/// `a*b`, or `low..high` over the number of points.
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

/// From one point of the input to the next, in the unit of the statement.
std::optional<double> spacing_of(const StatedValue& at, const OutputSpec& spec) {
  if (!at.statement->spacing.empty()) return spacing_beside(at, spec);
  const double rate = rate_of(spec, at.axis);
  Field field{"", at.statement->meaning, "", at.statement->unit};
  const std::string text = at.statement->meaning == Meaning::length && at.statement->unit.empty()
                               ? "s"
                               : unit_in(at.object, field);
  const auto unit = text.empty() ? std::nullopt : time_unit_of(text);
  if (!unit || !(rate > 0)) return std::nullopt;
  return 1 / rate / unit->seconds();
}

/// The value of the attribute beside it that tells of the first point in the same words.
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

/// Steps of the input by which the last point of the output lies further on; nothing if the points
/// from start to end do not fit the input.
std::optional<Index> end_moves_by(double points, const StatedValue& at, const OutputSpec& spec) {
  const AxisSampling& s = spec.sampling[at.axis];
  const Index inputs = spec.input.described().dims[at.axis];
  const auto span = Span::of(points, inputs);
  if (!span) return std::nullopt;
  return s.first + span->outputs(s) - span->inputs(inputs);
}

std::optional<double> mended_end(const StatedValue& at, double value, double step,
                                 const OutputSpec& spec) {
  const auto start = start_beside<double>(at, spec, [&](const std::string& name) {
    const std::vector<double> numbers = stated_numbers(at.object, name);
    return numbers.size() == 1 ? std::optional(numbers[0]) : std::nullopt;
  });
  const auto moves = start ? end_moves_by((value - *start) / step, at, spec) : std::nullopt;
  if (!moves) return std::nullopt;
  return value + static_cast<double>(*moves) * step;
}

/// What depends on the spacing of the input.
std::optional<double> mended_by_spacing(const StatedValue& at, double value,
                                        const OutputSpec& spec) {
  const auto step = spacing_of(at, spec);
  if (!step || *step == 0) return std::nullopt;
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
      return 2 * value == rate_of(spec, at.axis) ? std::optional(value / stride) : std::nullopt;
    case Meaning::index:  // in spacings of the output from the origin
      return std::fmod(value + first, stride) == 0 ? std::optional((value + first) / stride)
                                                   : std::nullopt;
    default:
      return mended_by_spacing(at, value, spec);
  }
}

std::optional<std::string> mended_date(const StatedValue& at, const std::string& text,
                                       const OutputSpec& spec) {
  const double rate = rate_of(spec, at.axis);
  if (!(rate > 0)) return std::nullopt;
  Index points = spec.sampling[at.axis].first;
  if (at.statement->meaning == Meaning::last) {
    const auto start = start_beside<Nanoseconds>(
        at, spec, [&](const std::string& name) { return time_of(stated_text(at.object, name)); });
    const auto end = time_of(text);
    if (!start || !end) return std::nullopt;
    const auto moves = end_moves_by(static_cast<double>(*end - *start) * 1e-9 * rate, at, spec);
    if (!moves) return std::nullopt;
    points = *moves;
  } else if (at.statement->meaning != Meaning::first) {
    return std::nullopt;
  }
  const double later_by = static_cast<double>(points) * 1e9 / rate;
  return std::abs(later_by) < 9e18 ? later(text, std::llround(later_by)) : std::nullopt;
}

}  // namespace stencil::storage
