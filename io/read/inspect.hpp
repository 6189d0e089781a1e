#pragma once

#include <string>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// As probe_dataset, but in this process, which a malformed file may crash.
///
/// @throws as probe_dataset
DatasetFacts inspect(const std::string& file, const std::string& dataset);

}  // namespace stencil::storage
