#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

#include "drivers/job/transfer/input_scale.hpp"
#include "drivers/job/transfer/kept_points.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/device/field_view.hpp"
#include "framework/grid/interval_set.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {

/// Returns the interval of a rank if `count` indices are divided among `ranks` ranks.
Interval share_of(Index count, int rank, int ranks);

/// Reads the inputs of windows. Thread-safe. A missing point that several windows read is counted
/// once, on the rank whose share of the inputs contains it.
template <class T>
class WindowInput {
 public:
  /// @param plan  a plan with windows; must outlive this object
  /// @throws StorageError  see InputDataset
  WindowInput(const Plan& plan, int rank, int ranks);

  /// Reads the points of a box of the input into host memory. @throws StorageError
  void read(const Box& box, FieldView<T> points);

  /// Sets outputs of the plan to NaN where the input is missing and missing.keep is set. @throws
  /// StorageError
  void keep_missing(const Box& box, FieldView<T> outputs) const {
    if (kept_) kept_->mark<T>(box, outputs);
  }

  /// Counts missing points that no window has read because the stride exceeds the extent of the
  /// mask.
  /// @param at_a_time  number of indices along the axis of the windows that are read at a time
  void count_the_rest(Index at_a_time);

  Index missing() const { return missing_; }
  /// Returns the scale of the points that were read. If the plan has no transforms, no points were
  /// added to the scale.
  const InputScale& scale() const { return scale_; }

 private:
  void read_and_count(const Box& box, FieldView<T> points);
  std::vector<Interval> not_counted_before(const Interval& read);

  const InputDataset input_;
  std::optional<KeptPoints> kept_;
  const Plan& plan_;
  const int axis_;
  const Interval share_;
  std::mutex mutex_;
  IntervalSet counted_;
  std::atomic<Index> missing_{0};
  const bool is_looked_at_;
  InputScale scale_;
};

extern template class WindowInput<float>;
extern template class WindowInput<double>;

}  // namespace stencil
