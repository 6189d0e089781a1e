#pragma once

#include <hdf5.h>

#include <set>
#include <string>

#include "io/dataset.hpp"
#include "io/object_path.hpp"

namespace stencil::storage {

/// Copies the attributes of one object to another, except those named, those that the target has
/// already, and those that only make sense in their own file (references, netCDF's and HDF5's
/// bookkeeping).
void copy_attributes(hid_t from, hid_t to, const std::set<std::string>& except);

/// Copies the attributes of the input's groups to the output's, the parent of one dataset to the
/// parent of the other and so on upwards; groups that the output does not have give theirs to its
/// root. Sampling rates, intervals and counts are adjusted to the output's points.
void carry_group_attributes(const DatasetPath& input, const std::vector<Handle>& groups,
                            const OutputSpec& spec);

/// Copies the dataset's own attributes but those that the output has of its own; adjusts the
/// spacing and brings the missing values to the output's type.
void carry_dataset_attributes(const DatasetPath& input, hid_t dataset, const OutputSpec& spec);

/// Writes the output's own attributes: its missing value and the provenance.
void write_own_attributes(hid_t dataset, const OutputSpec& spec);

/// Whether the output has other points than the input along an axis.
bool is_resampled(const OutputSpec& spec, std::size_t axis);

}  // namespace stencil::storage
