#pragma once

#include "io/handle.hpp"
#include "io/output_paths.hpp"

namespace stencil::storage {

/// Makes the file under construction from one process, without MPI: groups, dataset, attributes and
/// dimension scales of the input, attribute `complete` = 0. Without compression all its blocks are
/// reserved on the disk, so that writing cannot fail for want of space.
///
/// @throws StorageError
void create_output(const OutputSpec& spec, const OutputPaths& paths);

/// Sets the attribute `complete` to 1. @throws StorageError
void mark_complete(const OutputSpec& spec, const OutputPaths& paths);

/// Access properties in which output files are made and opened: file format of HDF5 1.10, whose
/// metadata carry checksums.
Handle output_access();

}  // namespace stencil::storage
