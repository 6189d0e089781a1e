#pragma once

#include <hdf5.h>

#include <vector>

#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Creates the dimension scale `time` of an output of snapshots next to its dataset; each time is
/// NaN until its snapshot is written. Call it before other scales are created, because scales with
/// the same name are then renamed.
///
/// @param group  parent of the dataset
/// @returns file offset of the times in bytes
/// @throws StorageError
Index make_times(hid_t group, hid_t dataset, const OutputSpec& spec);

/// If only some axes have a scale, creates a dimension without coordinates for each of the other
/// axes, as netCDF does. Readers of netCDF reject a dataset in which only some axes have a scale.
///
/// @throws StorageError
void name_bare_axes(hid_t group, hid_t dataset, const OutputSpec& spec);

/// Shortens the dataset and its times to the existing snapshots, and writes the times.
///
/// @param spec   specification with the existing number of snapshots
/// @param times  the time of each snapshot
/// @throws StorageError
void finish_times(hid_t dataset, const OutputSpec& spec, const std::vector<double>& times);

/// Frees the space of the file that was allocated for snapshots which do not exist. The space is
/// kept if the file system cannot free a part of a file.
///
/// @param file        the file, open for writing
/// @param first_byte  file offset of the dataset
/// @param planned     number of snapshots for which space was allocated
void return_reserved(int file, Index first_byte, const OutputSpec& spec, Index planned);

}  // namespace stencil::storage
