#pragma once

#include <optional>
#include <string>

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Returns the unit of a derivative of a quantity: `K` becomes `K m-1`. The step of the derivative
/// must be that of the coordinates of the axis, or else of its sampling rate. In the notation of
/// UDUNITS and CF.
///
/// @param units  units of the quantity; empty or `1` if it is dimensionless
/// @returns std::nullopt if the output is not a derivative along one axis, or has another step, or
///          its axis is descending, or UDUNITS does not recognise one of the units
/// @throws StorageError  the database of UDUNITS cannot be read
std::optional<std::string> units_of_derivative(const std::string& units, const DatasetPath& input,
                                               const OutputSpec& spec);

}  // namespace stencil::storage
