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

/// Measurements for --check. Each member may be absent if memory for its measurement was
/// insufficient.
struct Measured {
  std::optional<Limits> limits;  ///< sum over all processors or GPUs of the run
  std::optional<Prediction> prediction;
  std::optional<StoragePrediction> storage;  ///< also absent if predict_storage() cannot measure
  std::optional<Index> device_bytes;         ///< GPU memory of the rank that needs the most
  std::vector<std::string> gpus{};           ///< one line for each GPU that rank 0 can use
};

/// Describes everything that is known about a run before it reads points: inputs and outputs,
/// stages with method, halo and kernel, decomposition, memory, windows, checkpoints, bytes to
/// transfer. The report of the run has the same members. No member is measured.
///
/// @param device_facts  one line about the processors or the GPU of a rank
Description describe(const Plan& plan, const std::string& device_facts);

/// Adds the predicted times in seconds to the description of a plan.
void add_predictions(const Plan& plan, const std::optional<Prediction>& computing,
                     const std::optional<StoragePrediction>& storage, Description& description);

/// Returns the description that --check prints: describe() plus all measurements, and the reasons
/// why measurements are absent.
Description describe(const Plan& plan, const std::string& device_facts, const Measured& measured);

/// Returns a description as JSON text. Bytes of file names that are not UTF-8 are replaced.
/// @param indent  number of blanks per level; negative: a single line
std::string json_text(const Description& description, int indent);

}  // namespace stencil
