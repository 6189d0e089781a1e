#pragma once

#include <mutex>
#include <string>

#include "drivers/plan/plan.hpp"
#include "framework/device/field_view.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Returns whether transforms compute any stage of a plan.
bool uses_transforms(const Plan& plan);

/// Returns the number of input channels that a stage of a plan mixes by transforms: 2 for complex
/// inputs under complex masks, 1 if no stage does so.
Index mixed_channels(const Plan& plan);

/// Detects inputs that are so large that FFTs lose the values of neighbouring inputs by rounding:
/// the rounding error of every output of a block is about 1e-7 (in float64 1e-16) times the largest
/// input of the block. An example is a fill value that is not declared as missing.
class InputScale {
 public:
  /// @param mixed  number of adjacent indices of the batch axis whose points are added after their
  ///               transforms: mixed_channels()
  explicit InputScale(Index mixed = 1) : mixed_(mixed) {}

  /// Adds points that were read; a point may be added several times. May be called by several
  /// threads.
  template <class T>
  void add(FieldView<const T> points);

  /// Returns a note, the same on all ranks, if results near a large input are inaccurate; otherwise
  /// an empty text. The text is also empty for a plan that continues from a checkpoint, because the
  /// points of a checkpoint are results of this program. Collective.
  std::string note(const Communicator& communicator, const Plan& plan) const;

 private:
  Index mixed_;
  std::mutex mutex_;
  double largest_ = 0;  ///< the largest input for which neighbours are lost, with its sign
};

}  // namespace stencil
