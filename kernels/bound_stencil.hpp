#pragma once

#include <stdexcept>
#include <string>

#include "framework/device/executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil {

/// A stencil ready to run on one executor, its taps already in the memory that its kernels read.
template <class T>
class BoundStencil {
 public:
  virtual ~BoundStencil() = default;

  /// The kernel chosen, for the plan and the report: `cuda dense 3x3`.
  virtual std::string name() const = 0;
  /// Queues the sum of `convolve_cpu` (kernels/cpu/convolve_cpu.hpp) on a lane of the executor;
  /// views are in its memory.
  virtual void run(FieldView<const T> source, FieldView<T> target, Lane lane,
                   const Anchor& anchor) const = 0;
  /// Orders `advance_cpu` (kernels/cpu/advance_cpu.hpp) likewise.
  virtual void advance(const StepEdges&, Index, FieldView<const T>, FieldView<T>, Lane) const {
    throw std::logic_error("this stencil takes one step in a sweep");
  }
};

}  // namespace stencil
