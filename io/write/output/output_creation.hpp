#pragma once

#include "io/hdf5/dataset_facts.hpp"
#include "io/hdf5/handle.hpp"
#include "io/write/blocks/block_checksums.hpp"
#include "io/write/blocks/file_structure.hpp"
#include "io/write/output/created_output.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// Creates the content of the file under construction, on one rank, without MPI: groups, dataset,
/// attributes and dimension scales of the input, and the attribute `stencil_complete` = 0. Without
/// compression the file has its final length, but its blocks are not allocated yet.
///
/// @param part       the open, empty file
/// @param structure  records all writes
/// @throws StorageError
CreatedOutput create_output(const OutputSpec& spec, const OutputPaths& paths, int part,
                            FileStructure& structure);

/// Copies, to a file in memory, all metadata of an input that an output may receive. Called in the
/// child process that probes the input, so that metadata that crash the HDF5 library crash only the
/// child.
///
/// @param copies_rest  also copies all other contents of the file, up to 1 MiB of each dataset
void rehearse_carrying(const DatasetFacts& facts, bool copies_rest = false);

/// Adds the checksums and sets the attribute `stencil_complete` to 1. @throws StorageError
///
/// @param structure  records all writes
/// @param times      the times of all snapshots, for an output of snapshots
void mark_complete(const OutputSpec& spec, const OutputPaths& paths, int part,
                   FileStructure& structure, const BlockChecksums& checksums,
                   const std::vector<double>& times);

}  // namespace stencil::storage
