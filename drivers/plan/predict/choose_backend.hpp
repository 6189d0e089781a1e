#pragma once

#include <string>

#include "drivers/plan/problem.hpp"

namespace stencil {

/// Which backend a run uses where the configuration leaves it open, and why.
struct BackendChoice {
  Backend backend = Backend::cuda;  ///< cpu or cuda
  std::string reason;
};

/// Predicted seconds of a run from file to file, without the start of a GPU, by the tables of costs
/// of CPUs and GPUs. The files are taken to be in the page cache: slower storage hides more of the
/// computing. Plain arithmetic, which needs no GPU.
///
/// @param problem  for the backend that the prediction is for; on GPUs each rank has one
/// @param threads  that compute, of all ranks together
double rough_seconds(const Problem& problem, Index threads);

/// The backend on which a run ends sooner.
///
/// @param on_cpus, on_gpus  rough_seconds() of everything that the run computes
BackendChoice choose_backend(double on_cpus, double on_gpus, Index threads);

}  // namespace stencil
