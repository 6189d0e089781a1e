#pragma once

#include <memory>

#include "drivers/job/report/station_clock.hpp"
#include "drivers/job/transfer/window_input.hpp"
#include "drivers/pipeline/window_pipeline.hpp"

namespace stencil {

/// Reads and computes one window after the other, with a separate executor. On a GPU the points of
/// a window travel there and back through the same pinned host memory, which the first window
/// allocates.
template <class T>
class WindowWork {
 public:
  /// Calls MPI.
  ///
  /// @param executor  a sibling of it computes
  /// @param plan      with windows; it, the input and the clock must outlive this object
  /// @throws Error  on this rank alone, as for a Pipeline
  WindowWork(const Executor& executor, const Plan& plan, WindowInput<T>& input,
             StationClock& clock);

  /// To be called first in the thread that computes.
  void enter_thread() const { executor_->enter_thread(); }

  /// Final outputs of an interval along the axis of the windows.
  ///
  /// @returns a view of {batch, y, x} points in host memory, valid until the next call
  /// @throws StorageError, MachineError  on this rank alone
  FieldView<const T> compute(const Interval& outputs);

  /// Seconds inside kernels, of each stage.
  const std::vector<double>& stage_seconds() const { return pipeline_.stage_seconds(); }

 private:
  /// The pinned host memory as points of an extent. What it held before is lost.
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
