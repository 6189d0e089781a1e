#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Adjusts the objects next to the dataset that a convention of the input describes, if the output
/// holds unchanged copies of them: attributes (`where@rscale`), and datasets of a few numbers
/// (`starting_time`). A dataset that is no longer true and cannot be adjusted is removed. Objects
/// that differ from those of the input have been adjusted before, and are not changed.
///
/// @param groups   of the output, root first, with everything that is carried over
/// @param skipped  receives the names of objects that are removed
/// @throws StorageError
void adjust_objects(const std::vector<Handle>& groups, const DatasetPath& input,
                    const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
