#pragma once

#include <hdf5.h>

#include <set>
#include <string>
#include <vector>

#include "io/hdf5/object_path.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/skipped.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Copies the attributes of one object to another, except those in `except`, those that the target
/// already has, and those that are meaningful only in their own file (references, bookkeeping of
/// netCDF and HDF5).
///
/// @returns the names of the attributes with references, also of those in `except` and of those
/// that
///          the target already has
std::vector<std::string> copy_attributes(hid_t from, hid_t to, const std::set<std::string>& except,
                                         Skipped& skipped);

/// Copies the attributes that contain references to objects, which copy_attributes() skips. Two
/// kinds are not copied: attributes by which HDF5 and netCDF link datasets to their dimension
/// scales (DIMENSION_LIST, REFERENCE_LIST and similar), and attributes that the target already has.
///
/// @param change  converts the values to references in the output
void copy_references(hid_t from, hid_t to, Skipped& skipped, const ChangeValues& change);

/// For each of `names` that is an attribute of the object `from`, adds the name to `except` and a
/// note with the reason to `skipped`.
void leave_out(hid_t from, const std::set<std::string>& names, const std::string& reason,
               std::set<std::string>& except, Skipped& skipped);

/// Copies the attributes of the input's groups to the groups of the output: from the parent of one
/// dataset to the parent of the other, and so on upwards. Attributes of groups that the output does
/// not have are copied to its root. Sampling rates, intervals and counts are adjusted to the
/// output's points.
void carry_group_attributes(const DatasetPath& input, const std::vector<Handle>& groups,
                            const OutputSpec& spec, Skipped& skipped);

/// Copies the dataset's attributes except those that the output defines. Adjusts the spacing, and
/// converts missing values to the output's type.
void carry_dataset_attributes(const DatasetPath& input, hid_t dataset, const OutputSpec& spec,
                              Skipped& skipped);

/// Returns the attribute `history` of the input's file; empty if the file has no such attribute.
std::string earlier_history(const DatasetPath& input);

/// Writes the attributes about the numbers of the output's dataset: missing value and packing. Also
/// writes the sampling rate for which filters were designed, if the dataset already has dimension
/// scales.
void write_own_attributes(hid_t dataset, const OutputSpec& spec);

/// Writes the provenance to attributes of the output's root. Readers that copy all attributes of a
/// dataset do not copy the attributes of the root. In `history`, the entry of this run comes first,
/// and the history of the input follows.
void write_provenance(hid_t root, const OutputSpec& spec, const std::string& earlier);

}  // namespace stencil::storage
