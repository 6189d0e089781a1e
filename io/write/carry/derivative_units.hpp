#pragma once

#include <optional>
#include <string>

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// What the unit of a quantity becomes when the output is its derivative: `K` becomes `K m-1`,
/// where the coordinates of the axis, or else its sampling rate, say that the derivative is by
/// them: its step is theirs. In the words of UDUNITS, as CF has them.
///
/// @param units  of the quantity; empty or `1`: it has none
/// @returns nothing if the output is no derivative of one axis, or by another step, or its axis is
///          descending, or UDUNITS does not know one of the units
/// @throws StorageError  the database of UDUNITS cannot be read
std::optional<std::string> units_of_derivative(const std::string& units, const DatasetPath& input,
                                               const OutputSpec& spec);

}  // namespace stencil::storage
