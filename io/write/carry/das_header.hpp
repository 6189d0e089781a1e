#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Copies the header of an OptoDAS file: the group `header` next to the dataset. Values that depend
/// on the axes (`dt`, `time`, `channels`, `dimensionRanges`, `dimensionSizes`) are adjusted to the
/// output's points. The description of instrument and cable (`acqSpec`, `cableSpec`, `demodSpec`,
/// `fileVersion` and so on) is copied unchanged, so that readers of such files accept the output.
/// The function does nothing for other files.
///
/// @param groups   groups of the output, root first
/// @param skipped  receives the names of objects that are not valid for the output
/// @throws StorageError
void carry_das_header(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
