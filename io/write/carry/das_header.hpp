#pragma once

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Carries over the header of a file of OptoDAS, which lies beside its dataset: the group `header`
/// with what depends on the axes brought to the output's points (`dt`, `time`, `channels`,
/// `dimensionRanges`, `dimensionSizes`), and what describes instrument and cable as it is
/// (`acqSpec`, `cableSpec`, `demodSpec`, `fileVersion` ...), so that readers of such files open the
/// output. Does nothing for other files.
///
/// @param groups   of the output, root first
/// @param skipped  takes what does not hold of the output
/// @throws StorageError
void carry_das_header(const DatasetPath& input, const std::vector<Handle>& groups,
                      const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
