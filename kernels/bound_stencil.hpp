#pragma once

#include <stdexcept>
#include <string>

#include "framework/device/executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil {

/// A stencil that is ready to run on one executor. Its taps are in the memory that its kernels
/// read.
template <class T>
class BoundStencil {
 public:
  virtual ~BoundStencil() = default;

  /// Name of the chosen kernel, for the plan and the report: `cuda dense 3x3`.
  virtual std::string name() const = 0;
  /// Queues the sums of one step on a lane of the executor, as convolve_cpu
  /// (kernels/cpu/convolve_cpu.hpp) computes them. Both views are in the memory of the executor.
  virtual void run(FieldView<const T> source, FieldView<T> target, Lane lane,
                   const Anchor& anchor) const = 0;
  /// Queues several steps on a lane, as advance_cpu (kernels/cpu/advance_cpu.hpp) computes them.
  virtual void advance(const StepEdges&, Index, FieldView<const T>, FieldView<T>, Lane) const {
    throw std::logic_error("this stencil takes one step in a sweep");
  }
};

}  // namespace stencil
