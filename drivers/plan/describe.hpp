#pragma once

#include <optional>
#include <string>

#include "drivers/plan/prediction.hpp"
#include "drivers/plan/storage_prediction.hpp"
#include "kernels/limits.hpp"

namespace stencil {

/// What --check measures; each value may be absent if there was no memory to measure it.
struct Measured {
  std::optional<Limits> limits;  ///< of all processors or GPUs of the run together
  std::optional<Prediction> prediction;
  std::optional<StoragePrediction> storage;  ///< absent for compressed outputs, too
  std::optional<Index> device_bytes;         ///< GPU memory of the rank that needs most
};

/// What --check prints: dataset, normal form, stages with method, halo and kernel, decomposition,
/// memory, bytes, output, and the predicted times and the lower bound of computing.
std::string describe(const Plan& plan, const std::string& device_facts, const Measured& measured);

}  // namespace stencil
