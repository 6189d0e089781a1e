#pragma once

#include <string>

#include "drivers/plan/problem.hpp"

namespace stencil {

/// The backend that a run with run.backend = auto uses, and the reason.
struct BackendChoice {
  Backend backend = Backend::cuda;  ///< cpu or cuda
  std::string reason;
};

/// Returns the predicted seconds of a run from reading to writing, without the start-up of a GPU,
/// from tables of the costs of CPUs and GPUs. The files are assumed to be in the page cache: slower
/// storage hides more of the computing time. Needs no GPU.
///
/// @param problem  made for the backend of the prediction; on GPUs, each rank has one GPU
/// @param threads  number of threads that compute, summed over all ranks
double rough_seconds(const Problem& problem, Index threads);

/// Returns the backend with the shorter predicted run.
///
/// @param on_cpus, on_gpus  rough_seconds(), summed over all problems of the run
BackendChoice choose_backend(double on_cpus, double on_gpus, Index threads);

}  // namespace stencil
