#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "framework/grid/shape.hpp"
#include "io/hdf5/handle.hpp"
#include "io/hdf5/packed_numbers.hpp"

namespace stencil::storage {

/// Storage format of the values of a coordinate.
struct StoredNumbers {
  int digits = 0;  ///< number of mantissa bits of floating-point numbers; 0 for integers
  /// 2 to the power of the number of bits, by which `_Unsigned` shifts a number into its range.
  Index all_bits = 0;
  /// With `_Unsigned`, the range of the numbers: `lowest` belongs to the range, `beyond` does not.
  Index lowest = std::numeric_limits<Index>::min(), beyond = std::numeric_limits<Index>::max();
  PackedNumbers packing;

  /// Returns whether values differ from the stored numbers.
  bool is_packed() const { return packing.scale_factor != 1 || packing.add_offset != 0; }
  template <class T>
  double value_of(T number) const {
    const auto stored = static_cast<double>(number);
    return is_packed() ? stored * packing.scale_factor + packing.add_offset : stored;
  }
  /// Converts the sign of a number according to `_Unsigned`.
  template <class T>
  T with_sign(T number) const {
    const auto all = static_cast<T>(all_bits);
    if (number < static_cast<T>(lowest)) return number + all;
    return number >= static_cast<T>(beyond) ? number - all : number;
  }
};

/// Storage format of the values of a dataset; std::nullopt if the dataset is not numeric or its
/// packing is not valid.
std::optional<StoredNumbers> numbers_of(hid_t dataset);

/// Returns whether the dataset is one-dimensional and has `length` points.
bool has_length(hid_t dataset, Index length);

/// Returns whether the points are stored in the dataset's own file and fault_of_chunks() finds no
/// fault.
///
/// @throws StorageError  the file cannot be read
bool is_stored_here(hid_t dataset);

inline constexpr Index values_at_once = Index{1} << 16;

/// Fills `numbers` with the stored numbers from index `first` on; they are not converted to the
/// values that they represent. T is Index or double.
/// @returns whether the numbers could be read
template <class T>
bool read_run(hid_t dataset, const StoredNumbers& stored, Index first, std::vector<T>& numbers);

/// Reads all numbers block by block, until `each(index, number)` returns false.
/// @returns whether all numbers were read and `each` returned true for all of them
template <class T, class Each>
bool read_all(hid_t coordinate, const StoredNumbers& stored, Index length, const Each& each) {
  std::vector<T> numbers;
  for (Index at = 0; at < length; at += values_at_once) {
    numbers.resize(static_cast<std::size_t>(std::min(values_at_once, length - at)));
    if (!read_run(coordinate, stored, at, numbers)) return false;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (!each(at + static_cast<Index>(i), numbers[i])) return false;
  }
  return true;
}

/// Returns the numbers at two indices of a coordinate with `length` points; std::nullopt if the
/// coordinate has a different length or is not stored in its own file. T is Index or double.
template <class T>
std::optional<std::pair<T, T>> pair_as(hid_t coordinate, const StoredNumbers& stored, Index length,
                                       Index one, Index other);

}  // namespace stencil::storage
