#pragma once

#include <cstddef>

namespace stencil::cuda {

/// Memory of the current GPU, for measurements and tests that need no executor.
class DeviceArray {
 public:
  /// @throws MachineError  not enough memory
  explicit DeviceArray(std::size_t bytes);
  ~DeviceArray();
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Copies all bytes to or from the array, and waits for the end of the copy.
  /// @throws MachineError  the copy, or work queued before it, failed
  void upload(const void* from);
  void download(void* to) const;

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Returns whether this process can use a GPU.
bool have_gpu();

}  // namespace stencil::cuda
