#pragma once

#include <optional>
#include <string>

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The unit of a derivative of a quantity: `K` becomes `K m-1` if the step of the derivative is
/// that of the coordinates of the axis, or else of its sampling rate. Written as UDUNITS and CF do.
///
/// @param units  the units of the quantity; empty or `1`: it has none
/// @returns nothing if the output is not a derivative of one axis, or by another step, or its axis
/// is
///          descending, or UDUNITS does not know one of the units
/// @throws StorageError  the database of UDUNITS cannot be read
std::optional<std::string> units_of_derivative(const std::string& units, const DatasetPath& input,
                                               const OutputSpec& spec);

}  // namespace stencil::storage
