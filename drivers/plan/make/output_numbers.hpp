#pragma once

#include <optional>

#include "drivers/plan/problem.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Whether all stages leave a constant unchanged, so that packed data (scale_factor, add_offset)
/// still unpack to correct values.
bool keeps_constants(const Problem& problem);

/// How output.scale packs the output; nothing if it does not, or uses the packing of the input.
/// @throws WordsError  `auto` and an input whose results have no known range, or channels that
///                     weigh the input's add_offset differently
std::optional<storage::Packing> packing_of(const Config& config, const Problem& problem);

/// The number that represents missing points in the output and that no result has: NaN; for
/// integers an end of the type's range, before which results are cut off. It is the input's number
/// if that is such an end and lies outside the range of the results. Nothing if no point can be
/// missing.
///
/// @param spec  with `type` and `packing`
std::optional<ElementValue> missing_value_of(const Config& config, const Problem& problem,
                                             const OutputSpec& spec);

}  // namespace stencil
