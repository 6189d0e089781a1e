#include "kernels/cuda/generated/source_instance.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "framework/device/cuda/check.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {
namespace {

/// A kernel that one thread compiles while other threads that need the same kernel wait.
struct Entry {
  std::once_flag once;
  std::unique_ptr<LoadedKernel> kernel;
  std::string trouble;  ///< reason if the kernel could not be made, else empty
};

Entry& entry_of(int device, const std::string& name) {
  static std::mutex mutex;
  // never destroyed, because the driver may be shut down before static objects are destroyed
  static auto& entries = *new std::map<std::pair<int, std::string>, Entry>;
  const std::lock_guard lock(mutex);
  return entries[{device, name}];
}

void make(Entry& entry, const std::string& source, const std::string& kernel) {
  if (!generated::may_generate()) {
    entry.trouble = "STENCIL_GENERATED_KERNELS is off";
    return;
  }
  const auto compiled = generated::compiled_kernel(source, kernel, gpu_architecture(),
                                                   generated::KernelCache::of_user());
  entry.trouble = compiled.trouble;
  if (compiled.code.empty()) return;
  try {
    entry.kernel = std::make_unique<LoadedKernel>(compiled);
  } catch (const MachineError& error) {
    entry.trouble = error.what();  // the driver is older than the compiler
  }
}

}  // namespace

const LoadedKernel& instance_of_source(const std::string& key,
                                       const std::function<std::string()>& source,
                                       const std::string& kernel) {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current GPU");
  Entry& entry = entry_of(device, key);
  std::call_once(entry.once, [&] { make(entry, source(), kernel); });
  if (!entry.kernel) throw NoInstance(kernel + ": " + entry.trouble);
  return *entry.kernel;
}

}  // namespace stencil::cuda
