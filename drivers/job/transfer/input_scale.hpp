#pragma once

#include <mutex>
#include <string>

#include "drivers/plan/plan.hpp"
#include "framework/device/field_view.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Whether any stage of a plan is computed by transforms.
bool uses_transforms(const Plan& plan);

/// Finds an input that is so much larger than its neighbours that transforms lose them: an FFT
/// rounds all outputs of a block to about 1e-7 (float64: 1e-16) of the largest input in it. An
/// undeclared fill value is such an input.
class InputScale {
 public:
  /// Takes in points that were read, some of them perhaps twice. May be called by several threads.
  template <class T>
  void add(FieldView<const T> points);

  /// A note if results near a large input are noise, the same on all ranks; else empty. Empty for a
  /// plan that resumes a checkpoint, whose points are results of this program. Collective.
  std::string note(const Communicator& communicator, const Plan& plan) const;

 private:
  std::mutex mutex_;
  double largest_ = 0;  ///< of the inputs that are so large that others are lost, with its sign
};

}  // namespace stencil
