#pragma once

#include <hdf5.h>

#include <functional>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/output_scales.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Copies to the output all contents of the input file that the output does not contain yet:
/// groups, datasets, stored types and links, with attributes, dimension scales and references to
/// objects. Datasets that share an axis with the filtered dataset (FollowedAxes) are copied at the
/// points of the output; datasets that would be wrong are skipped. Data are copied chunk by chunk,
/// or in blocks of 8 MiB. Links to other files are not followed; they are kept if no axis has
/// changed.
///
/// @param output   output file, which contains everything that other functions have copied
/// @param scales   scales of the filtered dataset
/// @param skipped  receives the names of objects that are not copied; objects whose names it
///                 already contains are also not copied
/// @param require_written  called after each dataset; throws if writing to the output has failed
/// @throws StorageError
void copy_rest(const DatasetPath& input, hid_t output, const OutputSpec& spec,
               const std::vector<CarriedScale>& scales, Skipped& skipped,
               const std::function<void()>& require_written);

/// Rejects an output whose dataset has the name of another object of the input that would be copied
/// with the rest of the file. @throws WordsError, StorageError
void require_free_name(const DatasetPath& input, const OutputSpec& spec);

}  // namespace stencil::storage
