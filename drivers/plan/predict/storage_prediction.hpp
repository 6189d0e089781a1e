#pragma once

#include <optional>

#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "drivers/plan/predict/prediction.hpp"

namespace stencil {

/// Predicted seconds of reading all inputs, and of writing all outputs and reading them back, each
/// without other work at the same time.
struct StoragePrediction {
  double read = 0, write = 0;
  double read_back = 0;  ///< 0 where the output is not verified
};

/// Reads parts of the input that are spread over it, and writes to a file without a name in the
/// output's folder, on all ranks at the same time. Collective; every rank gets the same numbers.
///
/// @param cost  seconds that each of the three takes, approximately, and bytes of memory
/// @returns nothing for compressed outputs, whose compression depends on their values, for passes
///          through scratch files, and if there is no memory, or something cannot be read or
///          written; the run then reports the error
std::optional<StoragePrediction> predict_storage(const Session& session, const Plan& plan,
                                                 const SampleCost& cost);

/// Seconds of the whole run. In windows, work of the processors overlaps with waiting for the disk;
/// at once all times are added.
double whole_seconds(const Plan& plan, const Prediction& computing,
                     const StoragePrediction& storage);

/// Whether a run reads and writes so much that a prediction is worth its time.
bool is_worth_trying_storage(const Plan& plan);

}  // namespace stencil
