#include "io/read/coordinates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/hdf5/chunk_check.hpp"
#include "io/hdf5/chunks.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/nanoseconds.hpp"
#include "io/hdf5/packed_numbers.hpp"

namespace stencil::storage {
namespace {

constexpr Index block = Index{1} << 16;  // values read at once

/// How the values of a coordinate are stored.
struct Numbers {
  int digits = 0;      ///< behind the first one of floating-point numbers, in binary; 0 of integers
  Index all_bits = 0;  ///< added to numbers below `lowest`, taken from those from `beyond` on
  Index lowest = std::numeric_limits<Index>::min(), beyond = std::numeric_limits<Index>::max();
  PackedNumbers packing;

  /// Whether a value differs from its number.
  bool is_packed() const { return packing.scale_factor != 1 || packing.add_offset != 0; }
  template <class T>
  double value_of(T number) const {
    const auto stored = static_cast<double>(number);
    return is_packed() ? stored * packing.scale_factor + packing.add_offset : stored;
  }
  /// A number as `_Unsigned` reads it.
  template <class T>
  T signed_as_told(T number) const {
    const auto all = static_cast<T>(all_bits);
    if (number < static_cast<T>(lowest)) return number + all;
    return number >= static_cast<T>(beyond) ? number - all : number;
  }
};

/// Nothing if it is not a number, or represents no value.
std::optional<Numbers> numbers_of(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (!type) return std::nullopt;
  const H5T_class_t kind = H5Tget_class(type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) return std::nullopt;
  Numbers numbers;
  numbers.packing = packed_numbers_of(dataset);
  if (!numbers.packing.is_sound()) return std::nullopt;
  const std::size_t size = H5Tget_size(type);
  if (kind == H5T_FLOAT) numbers.digits = size == 8 ? 52 : size == 2 ? 10 : 23;
  if (!numbers.packing.has_other_sign) return numbers;
  if (size > 4) return std::nullopt;  // Index does not hold the numbers of both signs
  numbers.all_bits = Index{1} << (8 * size);
  if (H5Tget_sign(type) != H5T_SGN_NONE)
    numbers.lowest = 0;
  else
    numbers.beyond = numbers.all_bits / 2;
  return numbers;
}

/// Reads numbers, not the values that they represent.
template <class T>
bool read_run(hid_t dataset, const Numbers& stored, Index first, std::vector<T>& numbers) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const hsize_t start = static_cast<hsize_t>(first), count = numbers.size();
  const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const hid_t type = std::is_integral_v<T> ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &count, nullptr) < 0 ||
      !succeeded(H5Dread(dataset, type, memory, space, H5P_DEFAULT, numbers.data()), dataset,
                 "cannot read coordinates"))
    return false;
  if (stored.all_bits != 0)
    for (T& number : numbers) number = stored.signed_as_told(number);
  return true;
}

/// Reads the numbers block by block, until `each(index, number)` returns false.
/// @returns whether all were read
template <class T, class Each>
bool read_all(hid_t coordinate, const Numbers& stored, Index length, const Each& each) {
  std::vector<T> numbers;
  for (Index at = 0; at < length; at += block) {
    numbers.resize(static_cast<std::size_t>(std::min(block, length - at)));
    if (!read_run(coordinate, stored, at, numbers)) return false;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!each(at + static_cast<Index>(i), numbers[i])) return false;
  }
  return true;
}

/// Two of this number of values.
template <class T>
std::optional<std::pair<T, T>> pair_as(hid_t coordinate, const Numbers& stored, Index length,
                                       Index one, Index other) {
  if (one < 0 || other >= length || !has_length(coordinate, length) || !is_stored_here(coordinate))
    return std::nullopt;
  std::vector<T> first(1), last(1);
  if (!read_run(coordinate, stored, one, first) || !read_run(coordinate, stored, other, last))
    return std::nullopt;
  return std::pair(first[0], last[0]);
}

template <class T>
std::optional<std::pair<T, T>> ends_as(hid_t coordinate, const Numbers& stored, Index length) {
  return pair_as<T>(coordinate, stored, length, 0, length - 1);
}

/// Two of this number of values, one <= other.
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

/// The distance of neighbouring floating-point numbers with this number of digits at the larger of
/// two.
double distance_at(double a, double b, int digits) {
  const double most = std::max(std::abs(a), std::abs(b));
  return most > 0 && std::isfinite(most) ? std::ldexp(1.0, std::ilogb(most) - digits) : 0;
}

/// The spacing of numbers.
std::optional<Spacing> integer_spacing(hid_t coordinate, const Numbers& stored, Index length) {
  constexpr double most_coarse = 100;  // steps of less are exact, or uneven
  const auto ends = ends_as<Index>(coordinate, stored, length);
  if (!ends || ends->first == ends->second) return std::nullopt;
  const Nanoseconds first = ends->first, range = ends->second - first;  // 128 bits hold it
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

std::optional<Spacing> real_spacing(hid_t coordinate, const Numbers& stored, Index length) {
  const auto ends = ends_as<double>(coordinate, stored, length);
  if (!ends) return std::nullopt;
  const double first = ends->first, last = ends->second;
  const double step = (last - first) / static_cast<double>(length - 1);
  const double rounding = distance_at(first, last, stored.digits);
  if (!std::isfinite(step) || step == 0 || rounding > std::abs(step) / 2) return std::nullopt;
  const double tolerance = 1e-3 * std::abs(step) + 2 * rounding;
  const bool is_even = read_all<double>(coordinate, stored, length, [&](Index i, double value) {
    return std::abs(value - (first + step * static_cast<double>(i))) <= tolerance;
  });
  if (!is_even) return std::nullopt;
  return Spacing{step, rounding / static_cast<double>(length - 1)};
}

/// Exact for integers, which may be as far apart as 64 bits allow.
double difference(long double a, long double b) {
  return static_cast<double>(a - b);
}

/// The median of the first steps of numbers.
template <class T>
double common_step(hid_t coordinate, const Numbers& stored, Index length) {
  std::vector<T> numbers(static_cast<std::size_t>(std::min(block, length)));
  if (!read_run(coordinate, stored, 0, numbers)) return 0;
  std::vector<double> steps(numbers.size() - 1);
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = difference(numbers[i + 1], numbers[i]);
  std::nth_element(steps.begin(), steps.begin() + std::ssize(steps) / 2, steps.end());
  return steps[steps.size() / 2];
}

template <class T>
std::optional<LeftOut> find_left_out(hid_t coordinate, const Numbers& stored, Index length,
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
    if (value != value || (index > 0 && rises == 0)) return false;  // NaN, or twice the same
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

bool has_length(hid_t dataset, Index length) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space || H5Sget_simple_extent_ndims(space) != 1) return false;
  hsize_t found = 0;
  H5Sget_simple_extent_dims(space, &found, nullptr);
  return found == static_cast<hsize_t>(length);
}

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

std::optional<Spacing> even_spacing(hid_t coordinate, Index length) {
  const auto stored = length < 2 ? std::nullopt : numbers_of(coordinate);
  if (!stored) return std::nullopt;
  auto spacing = stored->digits == 0 ? integer_spacing(coordinate, *stored, length)
                                     : real_spacing(coordinate, *stored, length);
  if (spacing) {
    spacing->step *= stored->packing.scale_factor;
    spacing->uncertainty *= std::abs(stored->packing.scale_factor);
  }
  return spacing;
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

bool is_stored_here(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation || H5Pget_external_count(creation) != 0 || H5Pget_layout(creation) == H5D_VIRTUAL)
    return false;
  const bool is_written = H5Dget_storage_size(dataset) > 0;  // also 0 if the call fails
  if (!is_written && storage_failed()) throw_lookup(dataset, "cannot tell where it is stored");
  if (!is_written || H5Pget_layout(creation) != H5D_CHUNKED) return is_written;
  const std::string where = "coordinates of " + object_file(dataset);
  const ChunkLayout layout = chunk_layout_of(dataset, where);
  return chunks_on_record(dataset, where) <= layout.count() &&
         !fault_of_chunks(dataset, layout, true, where);
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
    value = stored->value_of(stored->all_bits == 0 ? value : stored->signed_as_told(value));
  return values;
}

std::optional<double> single_number(hid_t dataset) {
  const std::vector<double> values = few_numbers(dataset, 1);
  if (values.empty()) return std::nullopt;
  return values.front();
}

}  // namespace stencil::storage
