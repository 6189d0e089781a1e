#pragma once

#include <memory>

#include "drivers/job/report/station_clock.hpp"
#include "drivers/job/transfer/window_input.hpp"
#include "drivers/pipeline/window_pipeline.hpp"

namespace stencil {

/// Reads and computes one window after the other. Each object of this class has its own executor.
/// On a GPU, the inputs and outputs of a window are copied through the same pinned host memory,
/// which is allocated for the first window.
template <class T>
class WindowWork {
 public:
  /// The constructor calls MPI, so only the thread that may call MPI may call the constructor.
  ///
  /// @param executor  the object computes with Executor::sibling() of this executor
  /// @param plan      a plan with windows; `plan`, `input` and `clock` must outlive this object
  /// @throws Error  on this rank alone, in the cases in which the constructor of Pipeline throws
  WindowWork(const Executor& executor, const Plan& plan, WindowInput<T>& input,
             StationClock& clock);

  /// Must be the first call in the thread that computes.
  void enter_thread() const { executor_->enter_thread(); }

  /// Computes the final outputs of an interval along the axis of the windows.
  ///
  /// @returns a view of {batch, y, x} points in host memory, valid until the next call
  /// @throws StorageError, MachineError  on this rank alone
  FieldView<const T> compute(const Interval& outputs);

  /// Seconds in kernels, for each stage.
  const std::vector<double>& stage_seconds() const { return pipeline_.stage_seconds(); }

 private:
  /// Returns the pinned host memory as a dense array of this extent. The previous content is lost.
  FieldView<T> as_dense(const Point& extent);
  void read(const Box& part, FieldView<T> to);

  const Plan& plan_;
  WindowInput<T>& input_;
  StationClock& clock_;
  std::unique_ptr<Executor> executor_;
  WindowPipeline<T> pipeline_;
  Memory pinned_{};
  Index pinned_points_ = 0;
};

extern template class WindowWork<float>;
extern template class WindowWork<double>;

}  // namespace stencil
