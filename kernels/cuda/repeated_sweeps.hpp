#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cuda/generated/launch_record.hpp"

namespace stencil::cuda {

/// Views of one sweep in device memory.
struct SweepViews {
  const void *source, *target;
  Point source_extent, target_extent;
  Index source_batch, source_row, target_batch, target_row;  ///< pitches in elements

  template <class T>
  SweepViews(const FieldView<const T>& from, const FieldView<T>& to)
      : source(from.data),
        target(to.data),
        source_extent(from.extent),
        target_extent(to.extent),
        source_batch(from.batch_pitch),
        source_row(from.row_pitch),
        target_batch(to.batch_pitch),
        target_row(to.row_pitch) {}
  bool operator==(const SweepViews&) const = default;
};

/// Sweeps of one stencil on one GPU. A time step or a window has the same views as an earlier one,
/// so its launches are recorded once and then repeated. Several threads may queue sweeps at once.
class RepeatedSweeps {
 public:
  /// Queues a sweep: repeats the launches of an earlier sweep with these views, or calls `queue`
  /// and records its launches if they are few. If `queue` throws, nothing is recorded.
  ///
  /// @param queue  queues the sweep on the same stream. Everything else on which its launches
  ///               depend has to be the same in every call.
  /// @throws MachineError  a launch failed
  void run(const SweepViews& views, CUstream_st* stream, const std::function<void()>& queue);

 private:
  struct Entry {
    SweepViews views;
    std::shared_ptr<const LaunchRecord> record;
  };
  std::shared_ptr<const LaunchRecord> find(const SweepViews& views);
  void keep(const SweepViews& views, std::shared_ptr<const LaunchRecord> record);

  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::size_t oldest_ = 0;  ///< the entry that is replaced next, if there are `most_entries`
};

}  // namespace stencil::cuda
