#pragma once

#include <string>

#include "kernels/generated/kernel_cache.hpp"

namespace stencil::generated {

/// Code of a generated source for GPUs, from the cache or, if the cache does not contain it, from
/// the compiler. If several processes with the same cache need the same kernel, one process
/// compiles it and the others wait.
struct CompiledKernel {
  std::string code;     ///< see Compilation; empty if there is none
  std::string symbol;   ///< name of the kernel in the code
  std::string trouble;  ///< reason in one line if there is no code
  bool from_cache = false;
};

/// Returns the code of a kernel, from the cache or compiled.
///
/// @param source        text of the source, for example strip_source(spec); it may include the
///                      texts of included_text
/// @param kernel        name of the kernel with namespaces and template arguments
/// @param architecture  architecture of the GPU: `sm_90`, or `compute_80` for PTX
CompiledKernel compiled_kernel(const std::string& source, const std::string& kernel,
                               const std::string& architecture, const KernelCache& cache);

/// Returns whether the environment variable STENCIL_GENERATED_KERNELS allows generated kernels.
///
/// @throws WordsError  STENCIL_GENERATED_KERNELS is neither `off` nor `auto`
bool may_generate();

/// Returns whether generated kernels are allowed and the compiler can be loaded.
bool can_generate();

}  // namespace stencil::generated
