#pragma once

#include <optional>

#include "drivers/plan/problem.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Returns whether all stages leave constants unchanged, so that packed data still unpack to
/// correct values with the input's scale_factor and add_offset.
bool keeps_constants(const Problem& problem);

/// Returns the packing that output.scale requests; std::nullopt if the output is not packed, or
/// uses the packing of the input.
/// @throws WordsError  `auto` for an input whose results have no known range, or for channels that
///                     weight the input's add_offset differently
std::optional<storage::Packing> packing_of(const Config& config, const Problem& problem);

/// Returns the number that represents missing points in the output and that no result has. In
/// floating-point types this is NaN; in integer types it is an end of the type's range, and results
/// are limited to the rest of the range. If the input's missing value is one of the two ends and
/// lies outside the range of the results, it is also the number for missing points in the output.
/// Returns std::nullopt if no point can be missing.
///
/// @param spec  `type` and `packing` must be set
std::optional<ElementValue> missing_value_of(const Config& config, const Problem& problem,
                                             const OutputSpec& spec);

}  // namespace stencil
