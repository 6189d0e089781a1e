#include "kernels/cuda/generated/loaded_kernel.hpp"

#include <cuda.h>
#include <cuda_runtime.h>
#include <fmt/core.h>

#include <mutex>

#include "framework/device/cuda/check.hpp"
#include "framework/device/cuda/driver_entry.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cuda/device_attributes.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {
namespace {

/// Functions of the CUDA driver, which are looked up at run time because programs do not link the
/// driver (driver_entry.hpp).
struct Driver {
  decltype(&cuModuleLoadData) load;
  decltype(&cuModuleUnload) unload;
  decltype(&cuModuleGetFunction) function;
  decltype(&cuFuncGetAttribute) attribute;
  decltype(&cuFuncSetAttribute) set_attribute;
  decltype(&cuLaunchKernel) launch;
  decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) resident;
};

template <class Function>
void look_up(const char* name, Function& function) {
  function = reinterpret_cast<Function>(driver_entry(name));
}

const Driver& driver() {
  static const Driver found = [] {
    Driver d{};
    look_up("cuModuleLoadData", d.load);
    look_up("cuModuleUnload", d.unload);
    look_up("cuModuleGetFunction", d.function);
    look_up("cuFuncGetAttribute", d.attribute);
    look_up("cuFuncSetAttribute", d.set_attribute);
    look_up("cuLaunchKernel", d.launch);
    look_up("cuOccupancyMaxActiveBlocksPerMultiprocessor", d.resident);
    return d;
  }();
  return found;
}

void require(CUresult status, const std::string& what) {
  if (status == CUDA_SUCCESS) return;
  throw MachineError(
      fmt::format("GPU: {} failed with CUDA driver error {}: try again, or use run.backend = cpu",
                  what, int(status)));
}

}  // namespace

LoadedKernel::LoadedKernel(const generated::CompiledKernel& compiled) {
  // makes the primary context of this GPU the thread's current context
  check(cudaFree(nullptr), "choosing the GPU");
  require(driver().load(&module_, compiled.code.c_str()),
          "loading the generated kernel " + compiled.symbol);
  const CUresult status = driver().function(&function_, module_, compiled.symbol.c_str());
  if (status != CUDA_SUCCESS) driver().unload(module_);
  require(status, "looking for the generated kernel " + compiled.symbol);
}

LoadedKernel::~LoadedKernel() {
  driver().unload(module_);
}

int LoadedKernel::registers() const {
  int value = 0;
  require(driver().attribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, function_),
          "asking for the registers of a generated kernel");
  return value;
}

int LoadedKernel::resident_blocks(int threads, std::size_t shared_bytes) const {
  int blocks = 0;
  require(driver().resident(&blocks, function_, threads, shared_bytes),
          "asking for the occupancy of a generated kernel");
  return blocks;
}

void LoadedKernel::allow_shared_bytes(std::size_t bytes) const {
  // one mutex for all kernels, because several threads may launch the same kernel
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (bytes <= allowed_bytes_) return;
  if (const std::size_t most = most_shared_bytes(); bytes > most)
    throw NoInstance(
        fmt::format("a kernel needs {} bytes of shared memory, and a block has {}", bytes, most));
  require(driver().set_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                 int(bytes)),
          fmt::format("asking for {} bytes of shared memory", bytes));
  allowed_bytes_ = bytes;
}

void LoadedKernel::launch(const std::array<unsigned, 3>& grid, unsigned threads,
                          std::size_t shared_bytes, CUstream_st* stream, void** arguments) const {
  require(driver().launch(function_, grid[0], grid[1], grid[2], threads, 1, 1,
                          unsigned(shared_bytes), stream, arguments, nullptr),
          "launch of a generated kernel");
}

}  // namespace stencil::cuda
