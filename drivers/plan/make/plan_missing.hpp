#pragma once

#include <optional>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"

namespace stencil {

/// The values that are replaced while reading, according to [missing]; nothing if no number of the
/// dataset is treated as missing.
std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts);

/// The facts that missing.keep needs.
///
/// @param whole  the input without a selection
/// @param problem   with `missing`, stages and snapshots
/// @throws WordsError  outputs are beyond the edges or on several channels, or are snapshots
KeptMissing kept_missing(const DatasetFacts& whole, const Problem& problem);

}  // namespace stencil
