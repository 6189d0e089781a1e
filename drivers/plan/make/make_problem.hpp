#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drivers/config/config.hpp"
#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "framework/device/backend.hpp"
#include "io/hdf5/dataset_facts.hpp"

namespace stencil {

/// Data of the job other than the configuration and the input.
struct JobFacts {
  std::vector<std::string> files_read{};         ///< files that no output may replace
  std::optional<std::uint64_t> input_content{};  ///< checksum of the points, see content_of()
};

/// Binds the stages of a configuration to the input, and divides the world into blocks.
///
/// @param backend  cpu or cuda, the same on all ranks; used if config.run.backend is automatic
/// @throws WordsError  the configuration does not fit the dataset: mask, axis, extent,
///                     decomposition or missing values
Problem make_problem(const Config& config, const DatasetFacts& facts, const MaskFiles& masks,
                     int ranks, Backend backend = Backend::cpu, const JobFacts& job = {});

}  // namespace stencil
