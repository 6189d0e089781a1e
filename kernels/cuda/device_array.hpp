#pragma once

#include <cstddef>
#include <functional>

struct CUstream_st;

namespace stencil::cuda {

/// Plain memory of the current GPU, for benchmarks and tests that need no executor.
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
  /// Fills with floats (or doubles) in [-0.5, 0.5) that look random.
  template <class T>
  void fill_random(unsigned seed);

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Whether this process sees a GPU that it can use.
bool have_gpu();

/// Seconds of the median of `repeats` runs of the work that `order` puts on the stream, each
/// between two events.
///
/// @throws MachineError  the work failed
double median_seconds(const std::function<void(CUstream_st*)>& order, int repeats);

}  // namespace stencil::cuda
