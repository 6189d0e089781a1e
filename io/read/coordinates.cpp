#include "io/read/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/hdf5/handle.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/read/coordinate_numbers.hpp"

namespace stencil::storage {
namespace {

template <class T>
std::optional<std::pair<T, T>> ends_as(hid_t coordinate, const StoredNumbers& stored,
                                       Index length) {
  return pair_as<T>(coordinate, stored, length, 0, length - 1);
}

/// Two values of a coordinate with `length` values; requires one <= other.
std::optional<std::pair<ElementValue, ElementValue>> values_at(hid_t coordinate, Index length,
                                                               Index one, Index other) {
  using Values = std::pair<ElementValue, ElementValue>;
  const auto stored = numbers_of(coordinate);
  if (!stored) return std::nullopt;
  const auto values_of = [&](const auto& numbers) -> std::optional<Values> {
    if (!numbers) return std::nullopt;
    if (!stored->is_packed()) return Values(*numbers);
    return Values(stored->value_of(numbers->first), stored->value_of(numbers->second));
  };
  return stored->digits == 0 ? values_of(pair_as<Index>(coordinate, *stored, length, one, other))
                             : values_of(pair_as<double>(coordinate, *stored, length, one, other));
}

/// Returns the spacing of floating-point numbers with `digits` mantissa bits near the larger of a
/// and b.
double distance_at(double a, double b, int digits) {
  const double most = std::max(std::abs(a), std::abs(b));
  return most > 0 && std::isfinite(most) ? std::ldexp(1.0, std::ilogb(most) - digits) : 0;
}

constexpr double most_coarse = 100;  // smaller steps between integers must be exact to be even

/// Returns the spacing of integers.
std::optional<Spacing> integer_spacing(hid_t coordinate, const StoredNumbers& stored,
                                       Index length) {
  const auto ends = ends_as<Index>(coordinate, stored, length);
  if (!ends || ends->first == ends->second) return std::nullopt;
  const Nanoseconds first = ends->first, range = ends->second - first;  // 128 bits cannot overflow
  const double step = static_cast<double>(range) / static_cast<double>(length - 1);
  const double tolerance = 1e-3 * std::abs(step) + (std::abs(step) >= most_coarse ? 1 : 0);
  const Nanoseconds whole = range / (length - 1);
  bool is_exact = range % (length - 1) == 0;
  const bool is_even = read_all<Index>(coordinate, stored, length, [&](Index i, Index value) {
    const Nanoseconds from_first = value - first;
    is_exact = is_exact && from_first == whole * i;
    return is_exact ||
           std::abs(static_cast<double>(from_first) - step * static_cast<double>(i)) <= tolerance;
  });
  if (!is_even) return std::nullopt;
  return Spacing{step, is_exact ? 0 : 1 / static_cast<double>(length - 1)};
}

/// Returns the step between two values of a coordinate. For a periodic coordinate, the result is at
/// most half a period in size.
double step_between(double before, double value, double period) {
  const double step = value - before;
  return period > 0 ? step - period * std::round(step / period) : step;
}

/// Returns the spacing of floating-point numbers, or of numbers of a periodic coordinate. @param
/// period in the unit of the stored numbers; 0 if there is no period
std::optional<Spacing> real_spacing(hid_t coordinate, const StoredNumbers& stored, Index length,
                                    double period) {
  const auto ends = ends_as<double>(coordinate, stored, length);
  if (!ends) return std::nullopt;
  double before = ends->first, range = ends->second - ends->first, most = std::abs(before);
  if (period > 0) {
    range = 0;
    const bool is_read = read_all<double>(coordinate, stored, length, [&](Index, double value) {
      range += step_between(before, value, period);
      before = value;
      most = std::max(most, std::abs(value));
      return true;
    });
    if (!is_read) return std::nullopt;
  }
  const double step = range / static_cast<double>(length - 1);
  const double rounding = stored.digits == 0 ? 0 : distance_at(most, ends->second, stored.digits);
  if (!std::isfinite(step) || step == 0 || rounding > std::abs(step) / 2) return std::nullopt;
  const bool is_rounded = stored.digits == 0 && std::abs(step) >= most_coarse;
  const double tolerance = 1e-3 * std::abs(step) + 2 * rounding + (is_rounded ? 1 : 0);
  const bool is_even = read_all<double>(coordinate, stored, length, [&](Index i, double value) {
    const double expected = ends->first + step * static_cast<double>(i);
    return std::abs(step_between(expected, value, period)) <= tolerance;
  });
  if (!is_even) return std::nullopt;
  return Spacing{step, rounding / static_cast<double>(length - 1)};
}

/// Returns a - b, exactly for integers, whose difference may need 64 bits.
double difference(long double a, long double b) {
  return static_cast<double>(a - b);
}

/// Returns the median of the first steps between stored numbers.
template <class T>
double common_step(hid_t coordinate, const StoredNumbers& stored, Index length) {
  std::vector<T> numbers(static_cast<std::size_t>(std::min(values_at_once, length)));
  if (!read_run(coordinate, stored, 0, numbers)) return 0;
  std::vector<double> steps(numbers.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = difference(numbers[i + 1], numbers[i]);
  std::nth_element(steps.begin(), steps.begin() + std::ssize(steps) / 2, steps.end());
  return steps[steps.size() / 2];
}

template <class T>
std::optional<LeftOut> find_left_out(hid_t coordinate, const StoredNumbers& stored, Index length,
                                     double rounding) {
  const double step = common_step<T>(coordinate, stored, length);
  if (!(step > 4 * rounding)) return std::nullopt;
  LeftOut found{step * stored.packing.scale_factor, {}};
  T before = 0;
  const bool is_known = read_all<T>(coordinate, stored, length, [&](Index i, T number) {
    const double steps = i == 0 ? 1 : difference(number, before) / step;
    before = number;
    if (std::abs(steps - 1) <= 0.1 + 2 * rounding / step) return true;
    if (!(steps >= 1.5) || !(steps < 1e15)) return false;
    found.places.push_back({i, std::llround(steps) - 1});
    return std::ssize(found.places) * 10 <= length;
  });
  return is_known && !found.places.empty() ? std::optional(found) : std::nullopt;
}

template <class T>
std::optional<Interval> within(hid_t coordinate, Index length, T low, T high) {
  const auto stored = numbers_of(coordinate);
  if (!stored) return std::nullopt;
  Interval inside{length, 0};
  T before = 0;
  int direction = 0;
  const bool is_ordered = read_all<T>(coordinate, *stored, length, [&](Index index, T value) {
    if constexpr (std::is_floating_point_v<T>) value = stored->value_of(value);
    const int rises = value > before ? 1 : value < before ? -1 : 0;
    if (value != value || (index > 0 && rises == 0)) return false;  // NaN, or a repeated value
    if (index > 1 && rises != direction) return false;
    direction = rises;
    before = value;
    if (value >= low && value <= high) inside = {std::min(inside.first, index), index + 1};
    return true;
  });
  if (!is_ordered) return std::nullopt;
  return inside.first < inside.last ? inside : Interval{0, 0};
}

}  // namespace

std::optional<std::pair<ElementValue, ElementValue>> ends_of(hid_t coordinate, Index length) {
  return values_at(coordinate, length, 0, length - 1);
}

std::optional<ElementValue> value_at(hid_t coordinate, Index length, Index index) {
  const auto values = values_at(coordinate, length, index, index);
  return values ? std::optional(values->first) : std::nullopt;
}

bool holds_integers(hid_t dataset) {
  const auto stored = numbers_of(dataset);
  return stored && stored->digits == 0 && !stored->is_packed();
}

std::optional<Spacing> even_spacing(hid_t coordinate, Index length, double period) {
  const auto stored = length < 2 ? std::nullopt : numbers_of(coordinate);
  if (!stored) return std::nullopt;
  auto spacing = stored->digits == 0 ? integer_spacing(coordinate, *stored, length)
                                     : real_spacing(coordinate, *stored, length, 0);
  const double own = period / std::abs(stored->packing.scale_factor);
  // Two points are evenly spaced with any step. The step is then the shorter way from one to the
  // other.
  if (period > 0 && (!spacing || std::abs(spacing->step) > own / 2))
    spacing = real_spacing(coordinate, *stored, length, own);
  if (spacing) {
    spacing->step *= stored->packing.scale_factor;
    spacing->uncertainty *= std::abs(stored->packing.scale_factor);
  }
  return spacing;
}

std::optional<UnevenStep> uneven_step(hid_t coordinate, Index length, double period) {
  const auto stored = length < 3 ? std::nullopt : numbers_of(coordinate);
  const auto ends = stored ? ends_as<double>(coordinate, *stored, length) : std::nullopt;
  if (!ends) return std::nullopt;
  const double rounding =
      stored->digits == 0 ? 0 : distance_at(ends->first, ends->second, stored->digits);
  UnevenStep found;
  double before = 0, most = 0;
  const bool is_read = read_all<double>(coordinate, *stored, length, [&](Index i, double number) {
    const double step =
        step_between(before, number, period / std::abs(stored->packing.scale_factor));
    before = number;
    if (i == 0 || most > 1e-3 * std::abs(found.first) + 2 * rounding) return true;
    if (i == 1) found.first = step;
    if (const double off = std::abs(step - found.first); !(off <= most)) {
      found.step = step;
      found.before = i - 1;
      most = std::isnan(off) ? std::numeric_limits<double>::infinity() : off;
    }
    return true;
  });
  if (!is_read || found.before == 0) return std::nullopt;
  found.step *= stored->packing.scale_factor;
  found.first *= stored->packing.scale_factor;
  return found;
}

std::vector<double> values_of(hid_t coordinate, Index length) {
  std::vector<double> values;
  const auto stored = numbers_of(coordinate);
  if (!stored || !ends_as<double>(coordinate, *stored, length)) return values;
  const bool is_read = read_all<double>(coordinate, *stored, length, [&](Index, double number) {
    values.push_back(stored->value_of(number));
    return true;
  });
  return is_read ? values : std::vector<double>();
}

std::optional<LeftOut> left_out_of(hid_t coordinate, Index length) {
  const auto stored = length < 10 ? std::nullopt : numbers_of(coordinate);
  const auto ends = stored ? ends_as<double>(coordinate, *stored, length) : std::nullopt;
  if (!ends) return std::nullopt;
  if (stored->digits == 0) return find_left_out<Index>(coordinate, *stored, length, 0);
  return find_left_out<double>(coordinate, *stored, length,
                               distance_at(ends->first, ends->second, stored->digits));
}

bool is_too_coarse(hid_t coordinate, Index length) {
  const auto stored = length < 2 ? std::nullopt : numbers_of(coordinate);
  if (!stored || stored->digits == 0) return false;
  const auto ends = ends_as<double>(coordinate, *stored, length);
  if (!ends) return false;
  const double step = (ends->second - ends->first) / static_cast<double>(length - 1);
  return distance_at(ends->first, ends->second, stored->digits) > std::abs(step) / 2;
}

std::optional<Interval> ordered_within(hid_t coordinate, Index length, Index low, Index high) {
  return within<Index>(coordinate, length, low, high);
}

std::optional<Interval> ordered_within(hid_t coordinate, Index length, double low, double high) {
  return within<double>(coordinate, length, low, high);
}

double nearest_stored(hid_t dataset, double value) {
  const auto stored = numbers_of(dataset);
  if (!stored) return value;
  if (!stored->is_packed())
    return stored->digits == 23 ? static_cast<double>(static_cast<float>(value)) : value;
  const double number = (value - stored->packing.add_offset) / stored->packing.scale_factor;
  const double whole = std::nearbyint(number);
  const bool is_close = std::abs(number - whole) <= 1e-6 * std::max(1.0, std::abs(whole));
  return stored->digits == 0 && is_close ? stored->value_of(whole) : value;
}

std::vector<double> few_numbers(hid_t dataset, Index most) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space) : 0;
  const auto stored = numbers_of(dataset);
  if (count < 1 || count > most || !stored || !is_stored_here(dataset)) return {};
  std::vector<double> values(static_cast<std::size_t>(count));
  if (!succeeded(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
                 dataset, "cannot read it"))
    return {};
  for (double& value : values)
    value = stored->value_of(stored->all_bits == 0 ? value : stored->with_sign(value));
  return values;
}

std::optional<double> single_number(hid_t dataset) {
  const std::vector<double> values = few_numbers(dataset, 1);
  if (values.empty()) return std::nullopt;
  return values.front();
}

}  // namespace stencil::storage
