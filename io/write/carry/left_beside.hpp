#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Whether one of the notes is about the object of that path.
bool is_told(const Skipped& skipped, const std::string& path);

/// Lists the objects next to the input's dataset, in its group and in those above it, that are not
/// in the output: one line for each group. Call it when everything else was carried over.
///
/// @param groups   of the output, root first
/// @param skipped  receives the lines; objects that it already names are not listed again
void tell_left_beside(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
