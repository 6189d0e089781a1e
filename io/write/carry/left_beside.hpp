#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Returns whether one of the notes is about the object with that path.
bool is_told(const Skipped& skipped, const std::string& path);

/// Adds notes on objects of the input that are in the group of the dataset, or in a group above it,
/// but not in the output. There is one note for each group. Call this function when everything else
/// has been copied.
///
/// @param groups   groups of the output, root first
/// @param skipped  receives the notes; objects that its notes already name are not listed again
void tell_left_beside(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
