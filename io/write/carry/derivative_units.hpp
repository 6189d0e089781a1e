#pragma once

#include <optional>
#include <string>

#include "io/hdf5/object_path.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Returns the unit of a derivative of a quantity in the notation of UDUNITS and CF: `K` becomes `K
/// m-1`. The step of the derivative must be the step of the coordinates of the axis or, without
/// coordinates, the step that follows from the sampling rate.
///
/// @param units  units of the quantity; empty or `1` for a dimensionless quantity
/// @returns std::nullopt if the output is not a derivative along one axis, the derivative has a
///          different step, the axis is descending, or UDUNITS does not recognise one of the units
/// @throws StorageError  the database of UDUNITS cannot be read
std::optional<std::string> units_of_derivative(const std::string& units, const DatasetPath& input,
                                               const OutputSpec& spec);

}  // namespace stencil::storage
