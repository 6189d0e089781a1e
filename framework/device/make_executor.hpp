#pragma once

#include <memory>

#include "framework/device/backend.hpp"
#include "framework/device/executor.hpp"

namespace stencil {

/// cpu or cuda: automatic becomes cuda if this process sees a GPU.
///
/// @throws WordsError    cuda was requested in a build without CUDA
/// @throws MachineError  cuda was requested, but there is no GPU
Backend resolve_backend(Backend backend);

/// The executor for a backend. The ranks of a node use its GPUs in turn. Throws as
/// resolve_backend().
///
/// @param node_rank  of this process among those of the job on its node
std::unique_ptr<Executor> make_executor(Backend backend, int node_rank);

}  // namespace stencil
