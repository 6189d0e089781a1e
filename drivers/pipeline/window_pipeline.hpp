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

/// Returns whether all sweeps of a chain are periodic along an axis and keep its extent. In such a
/// world, a window that extends beyond an edge continues at the opposite edge and is one interval,
/// unless the window spans the whole world.
bool is_periodic_throughout(const Chain& chain, int axis);

/// Computes the final outputs of a chain window by window, for worlds that do not fit into memory.
/// Windows are intervals along one axis with the full extent of the other axes. Each window is
/// computed from the inputs that it requests, independently of other windows and other ranks;
/// points that two windows share are read and computed twice. The results have the same bits as
/// those of Pipeline, for any windows. Points are in the executor's memory. Makes no MPI calls.
/// run() may be called in any thread, after Executor::enter_thread(), and computes with the OpenMP
/// threads of that thread.
template <class T>
class WindowPipeline {
 public:
  /// Reads a box of the chain's inputs, in global indices within the world, into the executor's
  /// memory.
  using Read = std::function<void(const Box& inputs, FieldView<T> points)>;

  /// @param executor  must outlive the pipeline
  /// @param chain  bound to a world, in one or more blocks
  /// @param axis   the axis along which windows are cut. If stages mix channels and `axis` is
  ///               batch, all windows must consist of whole images
  /// @throws Error  on this rank alone, in the cases in which the constructor of Pipeline throws
  WindowPipeline(Executor& executor, Chain chain, int axis);
  WindowPipeline(const WindowPipeline&) = delete;
  WindowPipeline& operator=(const WindowPipeline&) = delete;

  /// Computes the final outputs in an interval of the axis.
  ///
  /// @param outputs  not empty, within the world of the outputs
  /// @param read     called for the inputs; some inputs may be read more than once
  /// @returns a view of {batch, y, x} points, valid until the next call
  /// @throws ShapeError   the window separates the channels of an image or the outputs of a bank
  /// @throws MemoryError  the memory is insufficient; errors of `read` are passed on
  FieldView<T> run(const Interval& outputs, const Read& read);

  /// Seconds in kernels, for each stage. Stages that are computed in one pass share its time in
  /// proportion to their multiply-adds.
  const std::vector<double>& stage_seconds() const { return stage_seconds_; }

 private:
  /// One step of one stage, or several stages in one pass.
  struct Sweep {
    const BoundStage& stage;  ///< element of chain_, which is constant, or of passes_
    const BoundStencil<T>& kernel;
    std::size_t first = 0, count = 1;  ///< index of the first stage, and number of stages
    FieldBuffer inputs{}, far_rows{};
  };

  void produce(std::size_t sweeps, const Interval& wanted, FieldView<T> target, const Read& read);
  void fill_rows(std::size_t sweep, const Interval& rows, Field<T>& in, const Read& read);
  /// Reads an interval that may reach beyond the edges of a periodic world.
  void read_around(const Interval& wanted, FieldView<T> target, const Read& read) const;
  void fill_run(std::size_t sweep, const GhostRun& run, const Interval& rows, Field<T>& in,
                const Read& read);
  void fill_sides(const BoundStage& stage, Field<T>& in);
  void add_seconds(const Sweep& sweep, double seconds);
  /// Returns the points of a shape within an interval of the axis.
  Box slab(const Point& shape, const Interval& along) const;

  Executor& executor_;
  const Chain chain_;
  const int axis_;
  bool goes_around_ = false;  ///< whether this window extends beyond periodic edges
  std::vector<std::unique_ptr<BoundStencil<T>>> kernels_;
  std::vector<std::unique_ptr<const BoundStage>> passes_;  ///< results of fuse_lines()
  std::vector<Sweep> sweeps_;
  /// Sources of ghost points along the other axes, by stage and extent along the cut axis.
  std::map<std::pair<const BoundStage*, Index>, std::vector<ExchangePhase>> sides_;
  FieldBuffer outputs_;
  std::vector<double> stage_seconds_;
};

extern template class WindowPipeline<float>;
extern template class WindowPipeline<double>;

}  // namespace stencil
