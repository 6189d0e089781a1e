#pragma once

#include <optional>

#include "drivers/plan/problem.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Whether all stages leave a constant unchanged, so that packed data (scale_factor, add_offset)
/// still unpack to correct values.
bool keeps_constants(const Problem& problem);

/// How output.scale packs the output; nothing if it does not, or as the input is.
/// @throws WordsError  `auto` and an input whose results have no known range, or channels that
/// weigh
///                     the input's add_offset differently
std::optional<storage::Packing> packing_of(const Config& config, const Problem& problem);

/// The number that stands for missing points in the output, which no result has: NaN; of integers
/// an end of the type's range, short of which results stop. It is the input's number where that is
/// such an end and lies outside the range of the results. Nothing where no point can be missing.
///
/// @param spec  with `type` and `packing`
std::optional<ElementValue> missing_value_of(const Config& config, const Problem& problem,
                                             const OutputSpec& spec);

}  // namespace stencil
