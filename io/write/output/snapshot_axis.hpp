#pragma once

#include <hdf5.h>

#include <vector>

#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Makes the dimension scale `time` of an output of snapshots beside its dataset: NaN for each
/// snapshot, until it is written. Call it before other scales are made, which then get other names.
///
/// @param group  parent of the dataset
/// @returns where in the file the times stand, in bytes
/// @throws StorageError
Index make_times(hid_t group, hid_t dataset, const OutputSpec& spec);

/// Makes a dimension without coordinates, as netCDF does, for each axis that has no scale where
/// others have one: readers of netCDF refuse such a dataset.
///
/// @throws StorageError
void name_bare_axes(hid_t group, hid_t dataset, const OutputSpec& spec);

/// Shortens the dataset and its times to the snapshots that there are, and writes the times.
///
/// @param spec   with that number of snapshots
/// @param times  of each of them
/// @throws StorageError
void finish_times(hid_t dataset, const OutputSpec& spec, const std::vector<double>& times);

/// Gives what was reserved for snapshots that never came back to the file system, which may be
/// unable to take it.
///
/// @param file        open for writing
/// @param first_byte  of the dataset in it
/// @param planned     snapshots that were reserved
void return_reserved(int file, Index first_byte, const OutputSpec& spec, Index planned);

}  // namespace stencil::storage
