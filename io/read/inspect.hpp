#pragma once

#include <string>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// What probe_dataset does, in this very process: a malformed file may crash it.
///
/// @throws as probe_dataset
DatasetFacts inspect(const std::string& file, const std::string& dataset);

}  // namespace stencil::storage
