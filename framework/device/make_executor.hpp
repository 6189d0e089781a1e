#pragma once

#include <memory>

#include "framework/device/backend.hpp"
#include "framework/device/executor.hpp"

namespace stencil {

/// Returns cpu or cuda; automatic becomes cuda if this process sees a GPU.
///
/// @throws WordsError    cuda was requested in a build without CUDA
/// @throws MachineError  cuda was requested, but there is no GPU
Backend resolve_backend(Backend backend);

/// Makes the executor of a backend. The ranks of a node are assigned to its GPUs in round-robin
/// order. Throws like resolve_backend().
///
/// @param node_rank  index of this process among the job's processes on its node
std::unique_ptr<Executor> make_executor(Backend backend, int node_rank);

}  // namespace stencil
