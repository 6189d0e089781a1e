#pragma once

#include <hdf5.h>

#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_attributes.hpp"
#include "io/write/carry/output_scales.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Removes from an output of stacked datasets the metadata that was copied from the first dataset
/// but differs between the datasets: attributes of the dataset and of its groups, dimension scales,
/// and variables next to it.
///
/// @param input    the first of the datasets
/// @param groups   groups of the output, root first
/// @param scales   scales that were copied; removed scales are erased from the list
/// @param skipped  receives the names of objects that are removed
/// @throws StorageError
void leave_out_differing(const DatasetPath& input, const std::vector<Handle>& groups, hid_t dataset,
                         const OutputSpec& spec, std::vector<CarriedScale>& scales,
                         Skipped& skipped);

}  // namespace stencil::storage
