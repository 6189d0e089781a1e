#pragma once

#include <functional>
#include <memory>

#include "framework/device/executor.hpp"
#include "framework/device/field_view.hpp"

namespace stencil::bench {

/// A processor on which `stencil_bench ways` times the ways to sum a mask.
class WaysDevice {
 public:
  virtual ~WaysDevice() = default;

  virtual Executor& executor() = 0;
  /// Seconds that the processor takes for work that `order` puts on the lane of work.
  virtual double compute_seconds(const std::function<void()>& order) = 0;
  /// Seconds that the host takes for what comes before: tables, memory, compiled kernels.
  virtual double setup_seconds(const std::function<void()>& work) = 0;
  /// Fused multiply-adds in registers.
  /// @param element  bytes of their type, 4 or 8
  virtual double adds_per_second(Index element) = 0;
  /// Writes finite numbers that look random into every point.
  virtual void fill(const FieldView<float>& view) = 0;
  virtual void fill(const FieldView<double>& view) = 0;
};

}  // namespace stencil::bench
