#include "io/read/parts_fit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/timeline.hpp"

namespace stencil {
namespace {

constexpr double rate_tolerance = 1e-4;  // relative error of rates from coordinates of low
                                         // precision
constexpr double time_tolerance = 0.5;   // points

/// Throws a WordsError about a file that differs from another file. Its message advises the user to
/// leave out one of the two files.
[[noreturn]] void throw_odd(const DatasetFacts& odd, const DatasetFacts& first,
                            const std::string& has, const std::string& others) {
  throw WordsError(
      fmt::format("{} does not fit what it is joined with: it {}, and {} {}: leave it out of "
                  "input.file",
                  name_beside(odd, first), has, name_beside(first, odd), others));
}

void check_rates(const DatasetFacts& part, const DatasetFacts& first) {
  for (std::size_t axis = 0; axis < first.dims.size(); ++axis) {
    const double rate = part.sampling_rate[axis], other = first.sampling_rate[axis];
    if (std::abs(rate - other) <= rate_tolerance * std::max(rate, other)) continue;
    if (rate == 0 && part.dims[axis] == 1) continue;  // a single coordinate does not define a rate
    const auto told = [&](double r) {
      return r > 0 ? fmt::format("has {:.7g} samples per second along axis {}", r, axis)
                   : fmt::format("has no sampling rate along axis {}", axis);
    };
    throw_odd(part, first, told(rate), told(other));
  }
}

}  // namespace

void check_fits(const DatasetFacts& part, const DatasetFacts& first,
                std::optional<std::size_t> axis) {
  if (type_name(part) != type_name(first))
    throw_odd(part, first, "holds " + type_name(part), "holds " + type_name(first));
  bool fits = part.dims.size() == first.dims.size();
  for (std::size_t i = 0; fits && i < first.dims.size(); ++i)
    fits = i == axis || part.dims[i] == first.dims[i];
  if (!fits)
    throw_odd(part, first, fmt::format("is {}", fmt::join(part.dims, "x")),
              fmt::format("is {}, and they are joined along {}", fmt::join(first.dims, "x"),
                          axis ? fmt::format("axis {}", *axis) : "a new axis (input.join = new)"));
  check_rates(part, first);
  if (part.meaning != first.meaning) {
    const auto told = [](const DatasetFacts& f) {
      return f.meaning.empty() ? std::string("has no unit or scale") : "has " + f.meaning;
    };
    throw_odd(part, first, told(part), told(first));
  }
  if (part.times.has_value() != first.times.has_value() ||
      (part.times &&
       (part.times->axis != first.times->axis || part.times->calendar != first.times->calendar))) {
    const auto told = [](const DatasetFacts& f) {
      return f.times ? fmt::format("has times along axis {} in the calendar {} ({})", f.times->axis,
                                   f.times->calendar, f.times->source)
                     : std::string("has no times");
    };
    throw_odd(part, first, told(part), told(first));
  }
}

const std::vector<ElementValue>& missing_in(const DatasetFacts& part, const JoinWords& words) {
  return words.missing_unasked ? part.missing_unasked : part.missing_values;
}

void check_missing_values(const DatasetFacts& part, const DatasetFacts& first,
                          const JoinWords& words) {
  const auto told = [&](const DatasetFacts& f) {
    std::vector<std::string> values;
    for (const ElementValue& value : missing_in(f, words)) values.push_back(to_string(value));
    if (!f.missing_complex.empty()) values.push_back(f.missing_complex);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values.empty() ? std::string("names no missing value")
                          : fmt::format("names {} as missing", fmt::join(values, " and "));
  };
  if (told(part) != told(first)) throw_odd(part, first, told(part), told(first));
  const auto range = [](const DatasetFacts& f) {
    const auto limit = [](const std::optional<ElementValue>& value) {
      return value ? to_string(*value) : "none";
    };
    return fmt::format("has the valid range {} to {}", limit(f.valid_min), limit(f.valid_max));
  };
  if (range(part) != range(first)) throw_odd(part, first, range(part), range(first));
}

void check_same_start(const DatasetFacts& part, const DatasetFacts& first) {
  if (!part.times) return;
  const double rate = first.sampling_rate[static_cast<std::size_t>(first.times->axis)];
  const double apart = 1e-9 * static_cast<double>(part.times->first - first.times->first);
  if (rate > 0 && std::abs(apart) * rate > time_tolerance)
    throw WordsError(fmt::format(
        "{} begins {:.6g} s {} than {} ({}): files joined along another axis than that of time "
        "begin together, leave one out",
        name_beside(part, first), std::abs(apart), apart > 0 ? "later" : "earlier",
        name_beside(first, part), part.times->source));
}

}  // namespace stencil
