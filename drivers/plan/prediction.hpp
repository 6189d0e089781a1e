#pragma once

#include <optional>
#include <vector>

#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"

namespace stencil {

/// Seconds that computing a plan should take the slowest rank, for each stage.
struct Prediction {
  std::vector<double> stage_seconds;

  double seconds() const;
};

/// What predicting may cost one rank.
struct SampleCost {
  double seconds = 0.1;          ///< of computing, all stages and repetitions together, about
  int repetitions = 3;           ///< the median counts
  Index bytes = Index{1} << 30;  ///< of memory while it lasts, beside what the plan counts
};

/// Runs a short piece of every stage on made-up points, on all ranks at the same time since they
/// share the memory's bandwidth, and scales what it took to the points of the rank that has most.
/// Collective; every rank gets the same numbers.
///
/// @returns nothing where a rank has no memory for the pieces
std::optional<Prediction> predict(const Session& session, const Plan& plan, const SampleCost& cost);

/// Whether computing takes seconds on a slow processor, so that a prediction is worth its time. No
/// measurement: an estimate from the numbers of points and taps.
bool is_worth_predicting(const Plan& plan);

}  // namespace stencil
