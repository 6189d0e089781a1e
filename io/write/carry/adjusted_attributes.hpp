#pragma once

#include <hdf5.h>

#include <optional>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Returns whether the points of the output along an axis differ from those of the input.
bool is_resampled(const OutputSpec& spec, std::size_t axis);

/// Returns the conventions of the input. The time axis is named according to all information that
/// the file and the run provide.
FileConventions conventions_of(const DatasetPath& input, const OutputSpec& spec);

/// Returns the time axis, according to names, dimension scales, a dataset of times or the number of
/// loci; otherwise the only resampled axis. The result is std::nullopt if several axes are
/// possible, because an unadjusted attribute is better than a wrong one.
std::optional<std::size_t> time_axis_of(const DatasetPath& input, const OutputSpec& spec);

/// Adjusts rates, intervals and counts in the attributes of the output's groups to the output's
/// points. Removes attributes that are no longer valid and cannot be adjusted.
///
/// @param groups  groups of the output, root first
void adjust_groups(const std::vector<Handle>& groups, const DatasetPath& input,
                   const OutputSpec& spec, Skipped& skipped);

/// Like adjust_groups(), for the attributes of the dataset itself.
void adjust_dataset(hid_t dataset, const DatasetPath& input, const OutputSpec& spec,
                    Skipped& skipped);

/// Like adjust_groups(), for the attributes of the coordinates of one axis.
void adjust_scale(hid_t scale, std::size_t axis, const OutputSpec& spec, Skipped& skipped);

}  // namespace stencil::storage
