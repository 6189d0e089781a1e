#pragma once

#include <memory>
#include <string>

#include "framework/device/backend.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Binds a stencil to the kernels of an executor.
///
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_stencil(Executor& executor, const Stencil<T>& stencil);

/// Returns the name of the kernel that bind_stencil would choose on a backend, without allocating
/// memory.
template <class T>
std::string kernel_name_on(Backend backend, const Stencil<T>& stencil);

}  // namespace stencil
