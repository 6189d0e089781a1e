#pragma once

#include <optional>

#include "drivers/config/config.hpp"
#include "drivers/plan/problem.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"

namespace stencil {

/// Returns the values that are replaced while reading, according to [missing]; std::nullopt if no
/// number of the dataset is treated as missing.
std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts);

/// Returns the facts that missing.keep needs.
///
/// @param whole    the input without a selection
/// @param problem  its `missing`, stages and snapshots must be set
/// @throws WordsError  outputs lie beyond the edges or combine several channels, or there are
///                     snapshots
KeptMissing kept_missing(const DatasetFacts& whole, const Problem& problem);

}  // namespace stencil
