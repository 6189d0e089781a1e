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

/// Limits on the cost of a prediction, per rank.
struct SampleCost {
  double seconds = 0.1;          ///< approximate, computing all stages and repetitions
  int repetitions = 3;           ///< the median is used
  Index bytes = Index{1} << 30;  ///< of memory during the prediction, in addition to the plan's
};

/// Runs a short piece of every stage on synthetic points, on all ranks at the same time since they
/// share the memory bandwidth, and scales the measured time to the points of the rank that has
/// most. Collective; every rank gets the same numbers.
///
/// @returns nothing if a rank has no memory for the pieces
std::optional<Prediction> predict(const Session& session, const Problem& problem,
                                  const SampleCost& cost);

/// Whether computing would take seconds on a slow processor, so that a prediction is worth its
/// time. Estimated from the numbers of points and taps, without measuring.
bool is_worth_predicting(const Problem& problem);

}  // namespace stencil
