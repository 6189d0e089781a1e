#pragma once

#include <string>

#include "drivers/config/config.hpp"
#include "drivers/plan/stage_mask.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Everything that rank 0 finds out before MPI starts, and then tells the others: they touch
/// neither the configuration nor, before they read their own points, the input.
struct JobInputs {
  ConfigWords words;
  Config config;  ///< of these words
  DatasetFacts facts;
  MaskFiles masks;
};

/// Parses `inputs.words`, looks at the input that they name and reads masks from their files.
/// Before MPI_Init.
/// @throws WordsError, StorageError  as parse_config, probe_dataset, read_small_array
void gather(JobInputs& inputs);

/// Bytes for a broadcast between ranks of one job, and back: words travel, and are parsed here once
/// more.
std::string serialize(const JobInputs& inputs);
JobInputs job_inputs_from(const std::string& bytes);

}  // namespace stencil
