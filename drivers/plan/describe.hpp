#pragma once

#include <optional>
#include <string>

#include "drivers/plan/prediction.hpp"
#include "kernels/limits.hpp"

namespace stencil {

/// What --check measures of computing; each may be missing where there was no memory for it.
struct Measured {
  std::optional<Limits> limits;  ///< of all processors or GPUs of the run together
  std::optional<Prediction> prediction;
  std::optional<Index> device_bytes;  ///< that the rank which needs most needs on its GPU
};

/// What --check prints: dataset, normal form, stages with method, halo and kernel, decomposition,
/// memory, bytes, output, and the time that computing should take and takes at least.
std::string describe(const Plan& plan, const std::string& device_facts, const Measured& measured);

}  // namespace stencil
