#pragma once

#include <functional>
#include <vector>

#include "kernels/cuda/launch.hpp"

namespace stencil::cuda {

/// What timing a sweep takes: random inputs and a place for outputs in device memory, laid out as
/// the fields of a run, and a stopwatch on the device.
template <class T>
class Trial {
 public:
  /// @param outputs  `[batch, y, x]`; inputs have a halo of the mask around them
  /// @throws MachineError  no GPU, or not enough memory on it
  Trial(const Stencil<T>& stencil, const Point& outputs);
  ~Trial();
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  FieldView<const T> source() const { return source_; }
  FieldView<T> target() const { return target_; }
  DeviceTaps<T> taps() const { return {taps_}; }

  /// Median seconds of one call of `work`, which orders a sweep on the stream that it is given.
  /// Before the calls the target is filled with NaN.
  double median_seconds(const std::function<void(CUstream_st*)>& work) const;
  /// Bytes read and written per second by a device-to-device copy of the outputs' size.
  double copy_bytes_per_second() const;

  /// Keeps the target as the one to compare with.
  void keep_target() const;
  /// Whether the target holds the kept bits.
  bool target_as_kept() const;

 private:
  void allocate(const Stencil<T>& stencil, const Point& outputs);
  void release();

  FieldView<T> source_, target_;
  T *taps_ = nullptr, *source_memory_ = nullptr, *target_memory_ = nullptr, *kept_ = nullptr;
  unsigned long long* differing_ = nullptr;  ///< a counter in device memory
  std::size_t target_bytes_ = 0;
};

}  // namespace stencil::cuda
