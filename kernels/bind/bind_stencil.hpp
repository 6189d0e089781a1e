#pragma once

#include <memory>
#include <optional>
#include <string>

#include "framework/device/backend.hpp"
#include "kernels/bound_stencil.hpp"
#include "kernels/cuda/ladder/strategy_name.hpp"

namespace stencil {

/// Binds a stencil to the kernels of an executor.
///
/// @param rung  of the ladder of tiling strategies, which only the cuda executor has; none: the
///              kernel that suits the stencil
/// @throws WordsError    no such rung on this executor or for this stencil
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_stencil(Executor& executor, const Stencil<T>& stencil,
                                              std::optional<cuda::Strategy> rung);

/// The name of the kernel that bind_stencil would choose on a backend, without allocating memory.
template <class T>
std::string kernel_name_on(Backend backend, const Stencil<T>& stencil,
                           std::optional<cuda::Strategy> rung);

}  // namespace stencil
