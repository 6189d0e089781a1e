#pragma once

#include <memory>
#include <string>

#include "framework/device/executor.hpp"

namespace stencil {

/// `cpu` or `cuda` for a backend's word: `auto` is cuda where this process sees a GPU.
///
/// @throws WordsError    cuda was asked for in a build without it
/// @throws MachineError  cuda was asked for and no GPU is there
std::string resolve_backend(const std::string& backend);

/// The executor for a backend: `auto`, `cpu` or `cuda`. Ranks of a node take its GPUs round robin.
/// Errors as resolve_backend.
///
/// @param node_rank  of this process among those of the job on its node
std::unique_ptr<Executor> make_executor(const std::string& backend, int node_rank);

}  // namespace stencil
