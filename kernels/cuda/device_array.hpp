#pragma once

#include <cstddef>

namespace stencil::cuda {

/// Plain memory of the current GPU, for measurements and tests that need no executor.
class DeviceArray {
 public:
  /// @throws MachineError  not enough memory
  explicit DeviceArray(std::size_t bytes);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Both wait until the copy is done. @throws MachineError  the copy, or work before it, failed
  void upload(const void* from);
  void download(void* to) const;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Whether this process sees a GPU that it can use.
bool have_gpu();

}  // namespace stencil::cuda
