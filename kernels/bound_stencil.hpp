#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "framework/device/executor.hpp"
#include "kernels/advance.hpp"
#include "kernels/channels/channel_stencil.hpp"

namespace stencil {

/// A stencil ready to run on one executor: taps are where its kernels read them.
template <class T>
class BoundStencil {
 public:
  virtual ~BoundStencil() = default;

  /// The kernel chosen, for the plan and the report: `cuda dense 3x3`.
  virtual std::string name() const = 0;
  /// Orders the sum of `convolve_cpu` (kernels/convolve.hpp) on a lane of the executor; views lie
  /// in its memory.
  virtual void run(FieldView<const T> source, FieldView<T> target, Lane lane,
                   const Anchor& anchor) const = 0;
  /// Orders `advance_cpu` (kernels/advance.hpp) likewise.
  virtual void advance(const StepEdges&, Index, FieldView<const T>, FieldView<T>, Lane) const {
    throw std::logic_error("this stencil takes one step in a sweep");
  }
};

/// Binds a stencil to the kernels of an executor.
///
/// @param kernel  `auto`, or a rung of the ladder of tiling strategies (`run.kernel`), which only
///                the cuda executor has
/// @throws WordsError    no such kernel on this executor or for this stencil
/// @throws MachineError  no memory for the taps
template <class T>
std::unique_ptr<BoundStencil<T>> bind_stencil(Executor& executor, const Stencil<T>& stencil,
                                              const std::string& kernel);

/// The name that bind_stencil's kernel would have on a backend, without taking its memory.
///
/// @param backend  `cpu` or `cuda`
template <class T>
std::string kernel_name_on(const std::string& backend, const Stencil<T>& stencil,
                           const std::string& kernel);

/// Binds a multi-channel mask likewise; `run` then orders the sum of convolve_channels_cpu.
///
/// @param kernel  `auto` alone
template <class T>
std::unique_ptr<BoundStencil<T>> bind_channels(Executor& executor, const ChannelStencil<T>& stencil,
                                               const std::string& kernel);

}  // namespace stencil
