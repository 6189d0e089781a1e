#pragma once

#include <optional>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"

namespace stencil {

/// What is replaced while reading, as [missing] says; nothing where no number of the dataset counts
/// as missing.
std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts);

/// What missing.keep needs.
///
/// @param whole  the input without a selection
/// @param problem   with `missing`, stages and snapshots
/// @throws WordsError  outputs stand beyond the edges or on several channels, or are snapshots
KeptMissing kept_missing(const DatasetFacts& whole, const Problem& problem);

}  // namespace stencil
