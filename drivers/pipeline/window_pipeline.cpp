#include "drivers/pipeline/window_pipeline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/fused_lines.hpp"
#include "drivers/pipeline/stage_kernel.hpp"
#include "framework/device/fill_ghosts.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the ghost points that a stage reads along the axes along which windows are not cut.
Halo sides_of(const BoundStage& stage, int cut_axis) {
  Halo halo;
  for (int axis = 0; axis < axes; ++axis) {
    if (axis == cut_axis) continue;
    const AxisSampling& sampling = stage.sampling[axis];
    const Interval reads = stage.reads(axis, {0, sampling.count});
    halo.low[axis] = std::max<Index>(0, -reads.first);
    halo.high[axis] = std::max<Index>(0, reads.last - sampling.extent);
  }
  return halo;
}

/// Throws if a window separates outputs that kernels compute together: all output channels of an
/// image, or all outputs of a bank.
void require_whole_blocks(const BoundStage& stage, int axis, const Interval& outputs) {
  const Index block = stage.sampling[axis].block_out;
  if (outputs.first % block != 0 || outputs.last % block != 0)
    throw ShapeError(fmt::format(
        "{}: a window makes outputs {} to {} along batch, which separates the {} that are made of "
        "one image: cut windows at multiples of {}, or along another axis",
        stage.name, outputs.first, outputs.last, block, block));
}

/// Returns the part of `all` that consists of `count` indices along an axis, from `first` on, with
/// a step of 1, -1 or 0.
template <class Rect>
Rect rows_of(Rect all, int axis, Index first, Index count, int step = 1) {
  all.origin += first * all.stride[axis];
  all.stride[axis] *= step;
  all.extent[axis] = count;
  return all;
}

}  // namespace

bool is_periodic_throughout(const Chain& chain, int axis) {
  return std::all_of(chain.stages.begin(), chain.stages.end(), [&](const BoundStage& stage) {
    const AxisSampling& sampling = stage.sampling[axis];
    return stage.boundary.rule[axis] == BoundaryRule::wrap && stage.reads_beyond(axis) == 0 &&
           sampling.stride == 1 && sampling.first == 0 && sampling.count == sampling.extent &&
           sampling.block_in == 1;
  });
}

template <class T>
WindowPipeline<T>::WindowPipeline(Executor& executor, Chain chain, int axis)
    : executor_(executor), chain_(std::move(chain)), axis_(axis) {
  const auto& stages = chain_.stages;
  stage_seconds_.resize(stages.size());
  for (std::size_t k = 0, count; k < stages.size(); k += count) {
    count = 1;
    if (auto lines = executor.is_host() ? fuse_lines(stages, k) : std::nullopt) {
      count = lines_of_pass;
      kernels_.push_back(bind_lines<T>(stages, k));
      passes_.push_back(std::make_unique<const BoundStage>(std::move(*lines)));
      sweeps_.push_back({*passes_.back(), *kernels_.back(), k, count});
      continue;
    }
    kernels_.push_back(bind_kernel<T>(executor, stages[k]));
    for (Index step = 0; step < stages[k].steps; ++step)
      sweeps_.push_back({stages[k], *kernels_.back(), k, count});
  }
}

template <class T>
Box WindowPipeline<T>::slab(const Point& shape, const Interval& along) const {
  Box box = make_box(shape);
  box.set(axis_, along);
  return box;
}

template <class T>
FieldView<T> WindowPipeline<T>::run(const Interval& outputs, const Read& read) {
  const Box box = slab(chain_.output_shape(), outputs);
  Interval inputs = outputs;
  for (auto sweep = sweeps_.rbegin(); sweep != sweeps_.rend(); ++sweep)
    inputs = sweep->stage.reads(axis_, inputs);
  goes_around_ =
      inputs.extent() <= chain_.input_shape()[axis_] && is_periodic_throughout(chain_, axis_);
  Field<T> out = outputs_.field<T>(executor_, {box, {}});
  produce(sweeps_.size(), outputs, out.owned(), read);
  return out.owned();
}

/// Computes the result of the first `sweeps` sweeps in an interval. If the axis is periodic, the
/// interval may extend beyond the edges of the world.
template <class T>
void WindowPipeline<T>::produce(std::size_t sweeps, const Interval& wanted, FieldView<T> target,
                                const Read& read) {
  if (sweeps == 0) return read_around(wanted, target, read);
  Sweep& sweep = sweeps_[sweeps - 1];
  const BoundStage& stage = sweep.stage;
  require_whole_blocks(stage, axis_, wanted);
  const Interval rows = stage.reads(axis_, wanted);
  // Index i of `in` along the axis is index rows.first + i of the world. Ghost points beyond the
  // world's edges are owned points of `in`.
  Point shape = stage.input.shape();
  shape[axis_] = rows.extent();
  Field<T> in =
      sweep.inputs.template field<T>(executor_, {make_box(shape), sides_of(stage, axis_)});
  fill_rows(sweeps - 1, rows, in, read);
  fill_sides(stage, in);
  Box inputs;
  for (int axis = 0; axis < axes; ++axis)
    inputs.set(axis, axis == axis_ ? Interval{0, rows.extent()}
                                   : stage.reads(axis, {0, stage.sampling[axis].count}));
  const Field<T>& filled = in;
  const auto start = std::chrono::steady_clock::now();
  Point first{};
  first[axis_] = wanted.first;
  run_step(stage, sweep.kernel, filled.window(inputs), target, first);
  executor_.synchronize(Lane::work);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  add_seconds(sweep, seconds.count());
}

/// Divides the seconds of a sweep among its stages in proportion to their multiply-adds.
template <class T>
void WindowPipeline<T>::add_seconds(const Sweep& sweep, double seconds) {
  double all = 0;
  for (std::size_t k = sweep.first; k < sweep.first + sweep.count; ++k)
    all += chain_.stages[k].adds_per_point();
  for (std::size_t k = sweep.first; k < sweep.first + sweep.count; ++k)
    stage_seconds_[k] += seconds * chain_.stages[k].adds_per_point() / all;
}

template <class T>
void WindowPipeline<T>::read_around(const Interval& wanted, FieldView<T> target,
                                    const Read& read) const {
  const Point& shape = chain_.input_shape();
  const Index extent = shape[axis_];
  for (Index at = wanted.first; at < wanted.last;) {
    const Index inside = (at % extent + extent) % extent;
    const Index count = std::min(wanted.last - at, extent - inside);
    Box part = make_box(target.extent);
    part.set(axis_, {at - wanted.first, at - wanted.first + count});
    read(slab(shape, {inside, inside + count}), target.window(part));
    at += count;
  }
}

/// Sets the owned points of a sweep's inputs.
template <class T>
void WindowPipeline<T>::fill_rows(std::size_t sweep, const Interval& rows, Field<T>& in,
                                  const Read& read) {
  const BoundStage& stage = sweeps_[sweep].stage;
  const Point& shape = stage.input.shape();
  if (goes_around_) return produce(sweep, rows, in.owned(), read);
  const AxisSources sources = axis_sources(rows, stage.boundary.rule[axis_], shape[axis_]);
  const Interval inside = sources.inside;
  if (!inside.empty()) {
    Box box = in.subdomain().owned;
    box.set(axis_, {inside.first - rows.first, inside.last - rows.first});
    produce(sweep, inside, in.window(box), read);
  }
  for (const GhostRun& run : sources.ghosts) fill_run(sweep, run, rows, in, read);
  const auto value = static_cast<T>(stage.boundary.value);
  for (const Interval& ghosts : sources.constant)
    executor_.fill(
        rows_of(rectangle_of(in.owned()), axis_, ghosts.first - rows.first, ghosts.extent()),
        &value, sizeof(T));
}

/// Copies points to ghost points beyond the world. Source points outside of the window are computed
/// first.
template <class T>
void WindowPipeline<T>::fill_run(std::size_t sweep, const GhostRun& run, const Interval& rows,
                                 Field<T>& in, const Read& read) {
  const Point& shape = sweeps_[sweep].stage.input.shape();
  const Interval inside = intersect(rows, {0, shape[axis_]}), sources = run.sources();
  const Rectangle ghosts =
      rows_of(rectangle_of(in.owned()), axis_, run.ghost - rows.first, run.count);
  const auto copy = [&](const ConstRectangle& from, Index first) {
    executor_.copy(rows_of(from, axis_, run.source - first, run.count, run.step), ghosts,
                   sizeof(T));
  };
  if (intersect(sources, inside) == sources) {
    copy(rectangle_of(in.owned()), rows.first);
    return;
  }
  Field<T> far = sweeps_[sweep].far_rows.template field<T>(executor_, {slab(shape, sources), {}});
  produce(sweep, sources, far.owned(), read);
  copy(rectangle_of(far.owned()), sources.first);
}

template <class T>
void WindowPipeline<T>::fill_sides(const BoundStage& stage, Field<T>& in) {
  const Subdomain& subdomain = in.subdomain();
  if (subdomain.halo.empty()) return;
  const Point shape = subdomain.owned.extent();
  const auto [sides, is_new] = sides_.try_emplace({&stage, shape[axis_]});
  if (is_new)
    sides->second = exchange_plan(0, Decomposition(shape), subdomain.halo, stage.boundary);
  for (const ExchangePhase& phase : sides->second)
    fill_ghosts(executor_, in, phase, static_cast<T>(stage.boundary.value));
}

template class WindowPipeline<float>;
template class WindowPipeline<double>;

}  // namespace stencil
