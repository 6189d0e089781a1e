#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Adjusts the objects beside the dataset that a convention of the input describes, where the
/// output holds them as the input does: attributes (`where@rscale`), and datasets of a few numbers
/// (`starting_time`). A dataset that is no longer true and cannot be adjusted is removed. Objects
/// that differ from those of the input have been adjusted before, and stay as they are.
///
/// @param groups   of the output, root first, with all that is carried over
/// @param skipped  takes what is removed
/// @throws StorageError
void adjust_objects(const std::vector<Handle>& groups, const DatasetPath& input,
                    const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
