#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Adjusts those objects next to the dataset that a convention of the input describes and that the
/// output contains as unchanged copies: attributes (`where@rscale`), and datasets of a few numbers
/// (`starting_time`). A dataset that is no longer valid and cannot be adjusted is removed. An
/// object that differs from the object of the input has been adjusted by another function, and is
/// not changed again.
///
/// @param groups   groups of the output, root first, with everything that was copied
/// @param skipped  receives the names of objects that are removed
/// @throws StorageError
void adjust_objects(const std::vector<Handle>& groups, const DatasetPath& input,
                    const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
