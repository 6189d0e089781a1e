#pragma once

#include <memory>

#include "framework/device/backend.hpp"
#include "framework/device/executor.hpp"

namespace stencil {

/// cpu or cuda: automatic is cuda where this process sees a GPU.
///
/// @throws WordsError    cuda was asked for in a build without it
/// @throws MachineError  cuda was asked for and no GPU is there
Backend resolve_backend(Backend backend);

/// The executor for a backend. Ranks of a node take its GPUs round robin. Errors as
/// resolve_backend.
///
/// @param node_rank  of this process among those of the job on its node
std::unique_ptr<Executor> make_executor(Backend backend, int node_rank);

}  // namespace stencil
