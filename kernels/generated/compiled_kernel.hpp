#pragma once

#include <string>

#include "kernels/generated/kernel_cache.hpp"

namespace stencil::generated {

/// Machine code of a generated source, from the cache or, if it is not there, from the compiler. Of
/// several processes with one cache that want the same kernel, one compiles and the others wait.
struct CompiledKernel {
  std::string cubin;    ///< empty: there is none
  std::string symbol;   ///< name of the kernel in the cubin
  std::string trouble;  ///< why there is none, one line
  bool from_cache = false;
};

/// @param source        for example strip_source(spec); its includes are included_text
/// @param kernel        of the source, with namespaces and template arguments
/// @param architecture  of the GPU: `sm_90`
CompiledKernel compiled_kernel(const std::string& source, const std::string& kernel,
                               const std::string& architecture, const KernelCache& cache);

/// Whether the environment lets kernels be generated.
///
/// @throws WordsError  STENCIL_GENERATED_KERNELS is neither `off` nor `auto`
bool may_generate();

/// Whether they are wanted and the compiler can be loaded.
bool can_generate();

}  // namespace stencil::generated
