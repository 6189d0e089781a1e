#pragma once

#include <hdf5.h>

#include <vector>

#include "io/hdf5/element_type.hpp"
#include "io/hdf5/element_value.hpp"

namespace stencil::storage {

/// What the attributes of a dataset say about its numbers (CF, netCDF): a number represents the
/// value `number * scale_factor + add_offset`, and `_Unsigned` says whether integers are unsigned.
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

/// Replaces numbers, as HDF5 converts them from the type of the dataset, by the values that they
/// represent.
///
/// @param packing  from packed_numbers_of(dataset)
void unpack(hid_t dataset, const PackedNumbers& packing, std::vector<double>& numbers);

/// The signed integer type of the same size as an unsigned one, or the reverse; floating-point
/// types are returned unchanged.
ElementType other_sign(ElementType type);

/// A value of an attribute as a number of type `type`. If `type` cannot represent it, but the type
/// in the file, `stored`, can, its bits are used: -1 of int16 is 65535 of uint16.
ElementValue number_in(const ElementValue& value, ElementType stored, ElementType type);

}  // namespace stencil::storage
