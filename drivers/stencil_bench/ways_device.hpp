#pragma once

#include <functional>
#include <memory>

#include "framework/device/executor.hpp"
#include "framework/device/field_view.hpp"

namespace stencil::bench {

/// A processor on which `stencil_bench ways` times the methods of summing a mask.
class WaysDevice {
 public:
  virtual ~WaysDevice() = default;

  virtual Executor& executor() = 0;
  /// Returns the seconds of the work that `order` enqueues on Lane::work.
  virtual double compute_seconds(const std::function<void()>& order) = 0;
  /// Returns the seconds of preparations on the host: tables, memory, compiled kernels.
  virtual double setup_seconds(const std::function<void()>& work) = 0;
  /// Returns the rate of fused multiply-adds in registers.
  /// @param element  bytes of the element type, 4 or 8
  virtual double adds_per_second(Index element) = 0;
  /// Fills every point with finite pseudo-random numbers.
  virtual void fill(const FieldView<float>& view) = 0;
  virtual void fill(const FieldView<double>& view) = 0;
};

}  // namespace stencil::bench
