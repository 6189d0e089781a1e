#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Whether one of the notes is about the object of that path.
bool is_told(const Skipped& skipped, const std::string& path);

/// Tells what stands beside the input's dataset, in its group and in those above it, and is not in
/// the output: a line for each group. To be called when all else is carried over.
///
/// @param groups   of the output, root first
/// @param skipped  objects that are told already are not told again
void tell_left_beside(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
