#pragma once

#include <optional>

#include "drivers/config/config.hpp"
#include "io/hdf5/dataset_facts.hpp"
#include "io/read/missing_points.hpp"

namespace stencil {

/// What is replaced while reading, as [missing] says; nothing where no number of the dataset counts
/// as missing.
std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts);

}  // namespace stencil
