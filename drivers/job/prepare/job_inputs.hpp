#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "framework/parallel/communicator.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// The properties of the inputs, which a job knows before it begins. Rank 0 reads them, before MPI
/// starts if possible, and broadcasts them: the other ranks open the input only to read their own
/// points.
struct JobInputs {
  Config config;            ///< the same on every rank
  std::string config_file;  ///< that the configuration was read from; empty: from none
  std::vector<DatasetFacts> stretches{};  ///< one, but for input.gaps = split; see probe_joined()
  MaskFiles masks{};
  /// See content_of(), of each stretch; empty if the run has no checkpoint.
  std::vector<std::uint64_t> contents{};
  /// On rank 0: files with the values of virtual coordinates of the input, which must not be
  /// overwritten.
  std::vector<std::string> sources_beside{};
};

/// Probes the input that the configuration names and reads masks from their files; replaces facts
/// that were gathered before.
/// @throws WordsError, StorageError  as probe_dataset, read_small_array
void gather(JobInputs& inputs);

/// Broadcasts the facts that rank 0 has gathered, and compares the files of the input on all ranks.
/// Collective.
/// @throws StorageError  on all ranks: see require_same_files()
void share(const Communicator& communicator, JobInputs& inputs);

/// Conversion of the facts, without the configuration, to bytes for a broadcast between ranks of
/// one job, and back.
std::string serialize(const JobInputs& inputs);
void take_facts(const std::string& bytes, JobInputs& inputs);

}  // namespace stencil
