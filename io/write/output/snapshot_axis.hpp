#pragma once

#include <hdf5.h>

#include <vector>

#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Makes the dimension scale `time` of an output of snapshots next to its dataset: NaN for each
/// snapshot, until it is written. Call it before other scales are made, whose names are then
/// changed if they are the same.
///
/// @param group  parent of the dataset
/// @returns position of the times in the file, in bytes
/// @throws StorageError
Index make_times(hid_t group, hid_t dataset, const OutputSpec& spec);

/// If only some axes have a scale, makes a dimension without coordinates for each of the others, as
/// netCDF does: readers of netCDF refuse a dataset with such axes.
///
/// @throws StorageError
void name_bare_axes(hid_t group, hid_t dataset, const OutputSpec& spec);

/// Shortens the dataset and its times to the existing snapshots, and writes the times.
///
/// @param spec   with that number of snapshots
/// @param times  the time of each snapshot
/// @throws StorageError
void finish_times(hid_t dataset, const OutputSpec& spec, const std::vector<double>& times);

/// Returns the space that was reserved for snapshots which were never taken to the file system; a
/// file system that does not support this keeps it.
///
/// @param file        open for writing
/// @param first_byte  of the dataset in it
/// @param planned     snapshots that were reserved
void return_reserved(int file, Index first_byte, const OutputSpec& spec, Index planned);

}  // namespace stencil::storage
