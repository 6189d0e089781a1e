#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/field_buffer.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/axis_sources.hpp"
#include "framework/grid/exchange_plan.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Whether all sweeps of a chain are periodic along an axis and keep its extent. A window that
/// extends beyond the edge of the world then continues at the opposite edge in one interval, as
/// long as it does not span the whole world.
bool is_periodic_throughout(const Chain& chain, int axis);

/// Computes the final outputs of a chain window by window, for worlds that do not fit into memory:
/// intervals along one axis, with the full extent of the others, each computed from the inputs that
/// it requests. Windows depend neither on each other nor on other ranks; points that two windows
/// share are read and computed twice. The results have the same bits as those of Pipeline, for any
/// windows. In the executor's memory. Calls nothing of MPI; run() may be called in any thread,
/// which computes with its OpenMP threads (Executor::enter_thread before it).
template <class T>
class WindowPipeline {
 public:
  /// Sets the points, in the executor's memory, of a box of the chain's inputs, given in global
  /// indices within the world.
  using Read = std::function<void(const Box& inputs, FieldView<T> points)>;

  /// @param executor  outlives the pipeline
  /// @param chain  bound to a world, in one block or more
  /// @param axis   the axis along which windows are cut; along the batch axis of stages that mix
  ///               channels, all windows have to consist of whole images
  /// @throws Error  on this rank alone, as for a Pipeline
  WindowPipeline(Executor& executor, Chain chain, int axis);
  WindowPipeline(const WindowPipeline&) = delete;
  WindowPipeline& operator=(const WindowPipeline&) = delete;

  /// The final outputs in an interval of the axis.
  ///
  /// @param outputs  not empty, within the world of the outputs
  /// @param read     called for the inputs, for some of them more than once
  /// @returns a view of {batch, y, x} points, valid until the next call
  /// @throws ShapeError   the window separates channels of an image, or outputs of a bank
  /// @throws MemoryError  and whatever `read` throws
  FieldView<T> run(const Interval& outputs, const Read& read);

  /// Seconds inside kernels, of each stage.
  const std::vector<double>& stage_seconds() const { return stage_seconds_; }

 private:
  /// One step of one stage.
  struct Sweep {
    const BoundStage& stage;  ///< in chain_, which is constant
    const BoundStencil<T>& kernel;
    std::size_t index = 0;  ///< of the stage
    FieldBuffer inputs{}, far_rows{};
  };

  void produce(std::size_t sweeps, const Interval& wanted, FieldView<T> target, const Read& read);
  void fill_rows(std::size_t sweep, const Interval& rows, Field<T>& in, const Read& read);
  /// Reads an interval that may reach beyond the edges of a periodic world.
  void read_around(const Interval& wanted, FieldView<T> target, const Read& read) const;
  void fill_run(std::size_t sweep, const GhostRun& run, const Interval& rows, Field<T>& in,
                const Read& read);
  void fill_sides(const BoundStage& stage, Field<T>& in);
  /// All points of a shape within an interval of the axis.
  Box slab(const Point& shape, const Interval& along) const;

  Executor& executor_;
  const Chain chain_;
  const int axis_;
  bool goes_around_ = false;  ///< this window does, beyond periodic edges
  std::vector<std::unique_ptr<BoundStencil<T>>> kernels_;
  std::vector<Sweep> sweeps_;
  /// Where ghosts along the other axes come from, by stage and extent along the cut axis.
  std::map<std::pair<const BoundStage*, Index>, std::vector<ExchangePhase>> sides_;
  FieldBuffer outputs_;
  std::vector<double> stage_seconds_;
};

extern template class WindowPipeline<float>;
extern template class WindowPipeline<double>;

}  // namespace stencil
