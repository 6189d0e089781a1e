#pragma once

#include <optional>

#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "drivers/plan/predict/prediction.hpp"
#include "framework/grid/shape.hpp"

namespace stencil {

/// Predicted seconds of reading all inputs, of writing all outputs, and of reading the outputs
/// back. Each number is measured without other work at the same time.
struct StoragePrediction {
  double read = 0, write = 0;
  double read_back = 0;  ///< 0 if the output is not verified
};

/// Returns a step by which all indices 0 to count - 1 are reached in a non-sequential order: index
/// i of this order is `i * step % count`. @pre count >= 1
Index spreading_step(Index count);

/// Measures the storage: reads parts from all regions of the input, and writes to an unnamed file
/// in the output's folder, on all ranks at the same time. Collective; every rank gets the same
/// numbers.
///
/// @param cost  approximate seconds for each of the three measurements, and bytes of memory
/// @returns std::nullopt for compressed outputs, because the compression depends on the values; for
///          passes through scratch files; and if the memory is insufficient or a file cannot be
///          read or written (the run then reports the error)
std::optional<StoragePrediction> predict_storage(const Session& session, const Plan& plan,
                                                 const SampleCost& cost);

/// Returns the seconds of the whole run. In windows, computing overlaps with reading and writing;
/// in a run at once all times are added.
double whole_seconds(const Plan& plan, const Prediction& computing,
                     const StoragePrediction& storage);

/// Returns whether a run reads and writes so much that a prediction is worthwhile.
bool is_worth_trying_storage(const Plan& plan);

}  // namespace stencil
