#pragma once

#include <hdf5.h>

#include <functional>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_scales.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Copies to the output all contents of the input's file that the output does not hold yet: groups,
/// datasets, stored types and links, with attributes, dimension scales and references to objects.
/// Datasets that share an axis with the filtered dataset (FollowedAxes) are copied at the points of
/// the output; those that would be wrong are left out. Data are copied chunk by chunk, or in blocks
/// of 8 MiB. Links into other files are not followed: they are kept if no axis has changed.
///
/// @param output   the output's file, which holds what other functions have carried over
/// @param scales   the scales of the filtered dataset
/// @param skipped  receives the names of objects that are not copied; objects that it already names
///                 are not copied, either
/// @param require_written  called after each dataset; throws if the output could not be written
/// @throws StorageError
void copy_rest(const DatasetPath& input, hid_t output, const OutputSpec& spec,
               const std::vector<CarriedScale>& scales, Skipped& skipped,
               const std::function<void()>& require_written);

/// Refuses an output whose dataset has the name of another object of the input that would be copied
/// with the rest of the file. @throws WordsError, StorageError
void require_free_name(const DatasetPath& input, const OutputSpec& spec);

}  // namespace stencil::storage
