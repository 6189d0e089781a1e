#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/session.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Predicted computing time of the slowest rank, in seconds, for each stage of a plan.
struct Prediction {
  std::vector<double> stage_seconds;

  double seconds() const;
};

/// Limits on the cost of a prediction, on each rank.
struct SampleCost {
  double seconds = 0.1;          ///< approximate duration, over all stages and repetitions
  int repetitions = 3;           ///< runs of each sample; the median of their times is used
  Index bytes = Index{1} << 30;  ///< memory during the prediction, in addition to that of the plan
};

/// Predicts the computing time. Runs a short sample of every stage on synthetic points, and scales
/// the measured time to the points of the rank that has the most points. The sample runs on all
/// ranks at the same time, because they share the memory bandwidth. Collective; every rank gets the
/// same numbers.
///
/// @param is_in_windows  whether the run computes windows, in which stages may share one pass
/// @returns std::nullopt if the memory of a rank is insufficient
std::optional<Prediction> predict(const Session& session, const Problem& problem,
                                  const SampleCost& cost, bool is_in_windows = false);

/// Returns whether computing would take seconds on a slow processor, so that a prediction is
/// worthwhile. Estimated from the numbers of points and taps, without measuring.
bool is_worth_predicting(const Problem& problem);

}  // namespace stencil
