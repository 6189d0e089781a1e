#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "drivers/plan/predict/prediction.hpp"
#include "drivers/plan/predict/storage_prediction.hpp"
#include "kernels/bind/limits.hpp"

namespace stencil {

/// A plan as JSON. docs/plan_json.md lists the members, whose names and meanings are stable.
using Description = nlohmann::ordered_json;

/// What --check measures; each value may be absent if there was no memory to measure it.
struct Measured {
  std::optional<Limits> limits;  ///< of all processors or GPUs of the run together
  std::optional<Prediction> prediction;
  std::optional<StoragePrediction> storage;  ///< absent for compressed outputs, too
  std::optional<Index> device_bytes;         ///< GPU memory of the rank that needs most
  std::vector<std::string> gpus{};           ///< one line on each GPU that rank 0 can use
};

/// Everything that is known about a run before it reads points: inputs and outputs, stages with
/// method, halo and kernel, decomposition, memory, windows, checkpoints, bytes to move. The report
/// of the run has the same members. Nothing in it was measured.
///
/// @param device_facts  one line on the processors or the GPU that a rank computes with
Description describe(const Plan& plan, const std::string& device_facts);

/// Adds the predicted seconds to the description of a plan.
void add_predictions(const Plan& plan, const std::optional<Prediction>& computing,
                     const std::optional<StoragePrediction>& storage, Description& description);

/// The description that --check prints: describe() with everything that was measured, and why other
/// values could not be.
Description describe(const Plan& plan, const std::string& device_facts, const Measured& measured);

/// A description as text of JSON. Names in files need not be UTF-8: other bytes are replaced.
/// @param indent  blanks for each level; negative: one line
std::string json_text(const Description& description, int indent);

}  // namespace stencil
