#pragma once

#include <string>

#include "drivers/plan/problem.hpp"

namespace stencil {

/// Which backend a run takes where the configuration leaves it open, and why.
struct BackendChoice {
  Backend backend = Backend::cuda;  ///< cpu or cuda
  std::string reason;
};

/// Seconds of a run from file to file by the tables of costs of CPUs and GPUs, for storage of which
/// the page cache holds the files: slower storage hides more of the computing. Plain arithmetic, so
/// that it can be asked without a GPU.
///
/// @param problem   for the backend that it is to be predicted on
/// @param threads   that compute, of all ranks together
double rough_seconds(const Problem& problem, Index threads);

/// The backend on which a run ends sooner by rough_seconds(), the start of a GPU included.
BackendChoice choose_backend(const Problem& on_cpu, const Problem& on_gpu, Index threads);

}  // namespace stencil
