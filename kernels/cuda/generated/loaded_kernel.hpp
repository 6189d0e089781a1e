#pragma once

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

struct CUmod_st;
struct CUfunc_st;
struct CUstream_st;

namespace stencil::generated {
struct CompiledKernel;
}

namespace stencil::cuda {

/// Thrown if a kernel is not available: STENCIL_GENERATED_KERNELS forbids compiling kernels, the
/// run-time compiler cannot be loaded or rejects the source, the driver is older than the compiler,
/// or the GPU has too little shared memory. Callers then use a kernel that was compiled ahead, such
/// as `generic`.
struct NoInstance : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A kernel of the current GPU, loaded from machine code that was compiled at run time.
class LoadedKernel {
 public:
  /// @param compiled  code for the architecture of this GPU
  /// @throws MachineError  the driver rejects the code
  explicit LoadedKernel(const generated::CompiledKernel& compiled);
  ~LoadedKernel();
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  int registers() const;
  /// Number of blocks that one multiprocessor holds at once.
  int resident_blocks(int threads, std::size_t shared_bytes) const;
  /// Raises the limit of shared memory of a launch to at least this size. The limit is never
  /// lowered, because another thread may be about to use it.
  /// @throws NoInstance    the GPU has less shared memory
  /// @throws MachineError  the driver reports an error
  void allow_shared_bytes(std::size_t bytes) const;
  /// Queues one launch.
  ///
  /// @param arguments  addresses of the kernel's arguments, in order
  /// @throws MachineError  the launch failed
  void launch(const std::array<unsigned, 3>& grid, unsigned threads, std::size_t shared_bytes,
              CUstream_st* stream, void** arguments) const;

 private:
  CUmod_st* module_ = nullptr;
  CUfunc_st* function_ = nullptr;
  mutable std::size_t allowed_bytes_ = 0;
};

}  // namespace stencil::cuda
