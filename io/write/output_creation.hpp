#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/write/output_attributes.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// What is known of a new file.
struct CreatedOutput {
  Skipped skipped;       ///< attributes and scales of the input that are left out
  Index first_byte = 0;  ///< of the dataset, where it is not packed
};

/// Makes the content of the file under construction from one process, without MPI: groups, dataset,
/// attributes and dimension scales of the input, attribute `complete` = 0. Without compression all
/// its blocks are reserved on the disk, so that writing cannot fail for want of space.
///
/// @param part  the empty file, open
/// @throws StorageError
CreatedOutput create_output(const OutputSpec& spec, const OutputPaths& paths, int part);

/// Reads all that an output would carry over from this input, into a file in memory. For the child
/// that probes: what crashes the library must not do so in the middle of the run.
void rehearse_carrying(const DatasetFacts& facts);

/// Sets the attribute `complete` to 1. @throws StorageError
void mark_complete(const OutputSpec& spec, const OutputPaths& paths, int part);

/// Access properties in which output files are made and opened: file format of HDF5 1.10, whose
/// metadata carry checksums.
Handle output_access();

}  // namespace stencil::storage
