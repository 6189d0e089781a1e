#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/stage_mask.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Everything that rank 0 reads before MPI starts and then broadcasts. The other ranks do not open
/// the configuration, and open the input only to read their own points.
struct JobInputs {
  ConfigWords words;
  Config config;                        ///< parsed from `words`
  std::vector<DatasetFacts> stretches;  ///< one, but for input.gaps = split; see probe_joined()
  MaskFiles masks;
  /// See content_of(), of each stretch; empty if the run has no checkpoint.
  std::vector<std::uint64_t> contents;
  /// On rank 0: files with the values of virtual coordinates of the input, which must not be
  /// overwritten.
  std::vector<std::string> sources_beside;
};

/// Parses `inputs.words`, probes the input that they name and reads masks from their files. Before
/// MPI_Init.
/// @throws WordsError, StorageError  as parse_config, probe_dataset, read_small_array
void gather(JobInputs& inputs);

/// Broadcasts the inputs of rank 0, and compares the files of the input as all ranks find them.
/// Collective.
/// @throws StorageError  on every rank alike: see require_same_files()
void share(const Communicator& communicator, JobInputs& inputs);

/// Conversion to bytes for a broadcast between ranks of one job, and back. The configuration is
/// sent as text and parsed again by the receiver.
std::string serialize(const JobInputs& inputs);
JobInputs job_inputs_from(const std::string& bytes);

}  // namespace stencil
