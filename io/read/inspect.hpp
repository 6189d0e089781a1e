#pragma once

#include <string>

#include "io/hdf5/dataset_facts.hpp"

namespace stencil::storage {

/// Like probe_dataset(), but in this process, so that a malformed file may crash it.
///
/// @throws  like probe_dataset()
DatasetFacts inspect(const std::string& file, const std::string& dataset);

/// Like inspect(), for a dataset that is to be joined with others: also sets `times` and `meaning`.
DatasetFacts inspect_part(const std::string& file, const std::string& dataset);

}  // namespace stencil::storage
