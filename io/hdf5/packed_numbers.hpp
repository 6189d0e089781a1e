#pragma once

#include <hdf5.h>

#include <vector>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil::storage {

/// Attributes that define the values of a dataset's numbers (CF, netCDF): a number represents the
/// value `number * scale_factor + add_offset`, and `_Unsigned` states whether integers are
/// unsigned.
struct PackedNumbers {
  bool is_packed = false;  ///< a scale_factor or an add_offset exists
  /// NaN if the attribute is not a single number.
  double scale_factor = 1, add_offset = 0;
  /// True if `_Unsigned` contradicts the integer type, so that the bits have to be read as
  /// other_sign() of the type.
  bool has_other_sign = false;

  /// Returns whether every number represents a value: both attributes are finite, and scale_factor
  /// is not 0.
  bool is_sound() const;
};

/// Reads these attributes. @throws StorageError  the file cannot be read
PackedNumbers packed_numbers_of(hid_t dataset);

/// Replaces numbers, which HDF5 has converted from the type of the dataset, by the values that they
/// represent.
///
/// @param packing  packed_numbers_of(dataset)
void unpack(hid_t dataset, const PackedNumbers& packing, std::vector<double>& numbers);

/// Returns the signed integer type of the same size for an unsigned type, and the unsigned type for
/// a signed one; floating-point types are returned unchanged.
ElementType other_sign(ElementType type);

/// Returns a value of an attribute as a number of type `type`. If `type` cannot represent the
/// value, but the attribute's type in the file (`stored`) can, the bits of the value are
/// reinterpreted: -1 in int16 becomes 65535 in uint16.
ElementValue number_in(const ElementValue& value, ElementType stored, ElementType type);

}  // namespace stencil::storage
