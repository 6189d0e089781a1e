#pragma once

#include <hdf5.h>

#include <vector>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil::storage {

/// What the attributes of a dataset say about its numbers (CF, netCDF): a number stands for
/// `number * scale_factor + add_offset`, and `_Unsigned` says whether integers are read without a
/// sign.
struct PackedNumbers {
  bool is_packed = false;  ///< there is a scale_factor or an add_offset
  /// NaN where the attribute is not one number.
  double scale_factor = 1, add_offset = 0;
  /// `_Unsigned` contradicts the integer type: the bits are those of the type in other_sign().
  bool has_other_sign = false;

  /// Whether every number stands for a value: both are finite, and scale_factor is not 0.
  bool is_sound() const;
};

/// @throws StorageError  the file cannot be read
PackedNumbers packed_numbers_of(hid_t dataset);

/// Replaces numbers, as HDF5 converts them from the dataset's own type, by the values that they
/// stand for.
///
/// @param packing  from packed_numbers_of(dataset)
void unpack(hid_t dataset, const PackedNumbers& packing, std::vector<double>& numbers);

/// The integer type of the same size with a sign instead of without, or the other way round;
/// floating-point types stay as they are.
ElementType other_sign(ElementType type);

/// A value of an attribute as a number of type `type`. If that type does not have it, and `stored`,
/// the type in the file, does, the bits are taken over: -1 of int16 is 65535 of uint16.
ElementValue number_in(const ElementValue& value, ElementType stored, ElementType type);

}  // namespace stencil::storage
