#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// The properties of the inputs, gathered before a job starts its work. Rank 0 reads them, before
/// MPI starts if possible, and broadcasts them. The other ranks open the input only to read their
/// own points.
struct JobInputs {
  Config config;  ///< the same on every rank
  /// File from which the configuration was read; may be empty.
  std::string config_file;
  std::vector<DatasetFacts>
      stretches{};  ///< several only if input.gaps = split, see probe_joined()
  MaskFiles masks{};
  /// content_of() of each stretch; empty if the run has no checkpoint.
  std::vector<std::uint64_t> contents{};
  /// On rank 0: files that hold values of virtual coordinates of the input and must not be
  /// overwritten.
  std::vector<std::string> sources_beside{};
};

/// Probes the input of the configuration and reads the masks that are stored in files. Replaces
/// facts that were gathered before.
/// @throws WordsError, StorageError  see probe_dataset(), read_small_array()
void gather(JobInputs& inputs);

/// Broadcasts the facts that rank 0 has gathered, and checks that all ranks see the same input
/// files. Collective.
/// @throws StorageError  on all ranks: see require_same_files()
void share(const Communicator& communicator, JobInputs& inputs);

/// Converts the facts, without the configuration, to bytes for a broadcast between ranks of one
/// job, and back.
std::string serialize(const JobInputs& inputs);
void take_facts(const std::string& bytes, JobInputs& inputs);

}  // namespace stencil
