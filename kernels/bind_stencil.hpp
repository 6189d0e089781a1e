#pragma once

#include <memory>
#include <string>

#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Binds a stencil to the kernels of an executor.
///
/// @param kernel  `auto`, or the name of a tiling strategy (`run.kernel`), which only the cuda
///                executor has
/// @throws WordsError    no such kernel on this executor or for this stencil
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_stencil(Executor& executor, const Stencil<T>& stencil,
                                              const std::string& kernel);

/// The name of the kernel that bind_stencil would choose on a backend, without allocating memory.
///
/// @param backend  `cpu` or `cuda`
template <class T>
std::string kernel_name_on(const std::string& backend, const Stencil<T>& stencil,
                           const std::string& kernel);

}  // namespace stencil
