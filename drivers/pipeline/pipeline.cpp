#include "drivers/pipeline/pipeline.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/facts.hpp"
#include "drivers/pipeline/stage_kernel.hpp"
#include "framework/device/named_range.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/halo_exchange.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {
namespace {

/// Adds the lifetime of this object in seconds to a total, and marks the lifetime in a profiler's
/// timeline.
class Stopwatch {
 public:
  Stopwatch(Executor& executor, const char* name, double& total)
      : range_(executor, name), total_(total), start_(MPI_Wtime()) {}
  ~Stopwatch() { total_ += MPI_Wtime() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  NamedRange range_;
  double& total_;
  double start_;
};

template <class T>
constexpr Precision precision_of = sizeof(T) == 8 ? Precision::float64 : Precision::float32;

template <class T>
Chain split_chain(const Session& session, const std::vector<Stage>& stages, const Point& shape) {
  Chain chain;
  session.communicator().agree([&] {
    chain = make_chain(stages, shape, precision_of<T>, session.backend());
    split(chain, choose_blocks(chain, session.size()));
  });
  return chain;
}

/// Returns the inputs that outputs after several steps need, in the form of the sampling of one
/// step of a wider mask.
std::array<AxisSampling, axes> reach_of(const BoundStage& stage, Index steps) {
  std::array<AxisSampling, axes> reach = stage.sampling;
  for (AxisSampling& axis : reach) {
    axis.width = (axis.width - 1) * steps + 1;
    axis.centre *= steps;
  }
  return reach;
}

}  // namespace

template <class T>
struct Pipeline<T>::StageWork {
  const BoundStage& plan;  ///< element of chain_, which is constant
  std::unique_ptr<BoundStencil<T>> kernel;
  std::unique_ptr<HaloExchange<T>> exchange;
};

template <class T>
Pipeline<T>::~Pipeline() = default;

template <class T>
Index Pipeline<T>::steps() const {
  return chain_->steps();
}

template <class T>
Point Pipeline<T>::input_shape() const {
  return chain_->input_shape();
}

template <class T>
Point Pipeline<T>::output_shape() const {
  return chain_->output_shape();
}

template <class T>
Pipeline<T>::Pipeline(Session& session, const std::vector<Stage>& stages, const Point& shape)
    : Pipeline(session, split_chain<T>(session, stages, shape)) {}

template <class T>
Pipeline<T>::Pipeline(Session& session, Chain chain)
    : communicator_(session.communicator()),
      chain_(std::make_unique<const Chain>(std::move(chain))),
      executor_(session.executor()) {
  Transport& transport = session.opened_transport();
  communicator_.agree(facts_of(*chain_), [&] {
    require_runs(*chain_, precision_of<T>, communicator_.size());
    for (const BoundStage& stage : chain_->stages)
      stages_.push_back({stage, bind_kernel<T>(executor_, stage), nullptr});
  });
  communicator_.or_abort([&] {
    for (StageWork& stage : stages_)
      stage.exchange =
          std::make_unique<HaloExchange<T>>(communicator_, stage.plan.input, stage.plan.halo,
                                            stage.plan.boundary, executor_, transport);
  });
  times_.stages.resize(stages_.size());
}

template <class T>
Field<T> Pipeline<T>::make_field(std::size_t stage) const {
  return {executor_, subdomain_of(stage)};
}

/// Returns this rank's part of the inputs of a stage. If `stage` is the number of stages, returns
/// this rank's part of the final outputs.
template <class T>
Subdomain Pipeline<T>::subdomain_of(std::size_t stage) const {
  const int rank = communicator_.rank();
  if (stage == stages_.size()) return {stages_.back().plan.output.owned(rank), {}};
  const BoundStage& plan = stages_[stage].plan;
  return {plan.input.owned(rank), plan.halo};
}

template <class T>
Field<T> Pipeline<T>::make_input() const {
  return make_field(0);
}

/// Touches all pages of a field. Pages are touched and timed separately, because the system may
/// need more time to provide pages than a kernel needs to fill them; for example, a virtual machine
/// may request pages from its host.
template <class T>
void Pipeline<T>::touch(Field<T>& field) {
  const Stopwatch watch(executor_, "memory", times_.memory);
  const FieldView<T> all = field.ghosted();
  if (points(all.extent) == 0) return;
  const T* last = &all.at(all.extent[0] - 1, all.extent[1] - 1, all.extent[2] - 1);
  executor_.touch(reinterpret_cast<std::byte*>(all.data),
                  static_cast<std::size_t>(last + 1 - all.data) * sizeof(T));
}

template <class T>
Field<T> Pipeline<T>::run(Field<T> input, const OnStep& on_step) {
  State<T> state = start(std::move(input));
  advance(state, chain_->steps(), on_step);
  return std::move(state.field);
}

template <class T>
void Pipeline<T>::advance(State<T>& state, Index until, const OnStep& on_step) {
  const std::vector<std::string> facts{fmt::format("steps_done = {}", state.steps_done),
                                       fmt::format("until = {}", until)};
  communicator_.agree(facts, [&] {
    if (state.field.was_moved())
      throw UsageError("the field of the input was moved from: fill one of make_input() again");
    if (until < state.steps_done || until > chain_->steps())
      throw ShapeError(fmt::format("a state of {} steps cannot advance to {} of {}",
                                   state.steps_done, until, chain_->steps()));
    if (!(state.field.subdomain() == subdomain_of(state.stage)))
      throw ShapeError("the field is not one of this pipeline: it comes from make_input()");
  });
  communicator_.or_abort([&] {
    while (state.steps_done < until) {
      const NamedRange range(executor_, stages_[state.stage].plan.name);
      begin_stage(state);
      state.steps_done += advance_stage(state, until - state.steps_done, on_step);
      if (state.step == stages_[state.stage].plan.steps) end_stage(state);
    }
  });
}

/// Allocates the fields that a stage needs, unless the stage has begun.
template <class T>
void Pipeline<T>::begin_stage(State<T>& state) {
  if (state.next) return;
  // The state changes on all ranks or on none, so a caller may retry after an error.
  std::optional<Field<T>> next, other;
  communicator_.agree([&] {
    next = make_field(state.stage + 1);
    // The sweeps of one stage alternate between two fields of the same shape.
    if (stages_[state.stage].plan.sweeps() > 1) other = make_field(state.stage);
  });
  state.next = std::move(next);
  state.other = std::move(other);
  touch(*state.next);
  if (state.other) touch(*state.other);
}

/// Allocates the second field for a stage that has a single sweep but is interrupted within the
/// sweep.
template <class T>
void Pipeline<T>::make_other(State<T>& state) {
  std::optional<Field<T>> other;
  communicator_.agree([&] { other = make_field(state.stage); });
  state.other = std::move(other);
  touch(*state.other);
}

template <class T>
void Pipeline<T>::end_stage(State<T>& state) {
  state.field = std::move(*state.next);
  state.next.reset();
  state.other.reset();
  state.step = 0;
  ++state.stage;
}

/// @returns the number of steps that were done: `most`, or the remaining steps of the stage if
/// fewer
template <class T>
Index Pipeline<T>::advance_stage(State<T>& state, Index most, const OnStep& on_step) {
  StageWork& stage = stages_[state.stage];
  const double before = times_.compute;
  const Index last = std::min(stage.plan.steps, state.step + most), first = state.step;
  while (state.step < last) {
    const Index steps = std::min(stage.plan.steps_per_sweep, last - state.step);
    const bool ends = state.step + steps == stage.plan.steps;
    if (!ends && !state.other) make_other(state);
    Field<T>& out = ends ? *state.next : *state.other;
    if (stage.plan.steps_per_sweep == 1)
      step(stage, state.field, out);
    else
      sweep(stage, steps, state.field, out);
    limit_queue_depth();
    if (!ends) std::swap(state.field, *state.other);
    state.step += steps;
    for (Index n = 0; n < steps && on_step; ++n) on_step(points(stage.plan.output.shape()));
  }
  {
    const Stopwatch watch(executor_, "compute", times_.compute);
    executor_.synchronize();  // kernels may still be running on a GPU
  }
  times_.stages[state.stage] += times_.compute - before;
  return state.step - first;
}

/// Waits for the device; the waiting time is added to the compute time.
template <class T>
void Pipeline<T>::limit_queue_depth() {
  const Stopwatch watch(executor_, "compute", times_.compute);
  executor_.limit_queue_depth();
}

template <class T>
void Pipeline<T>::step(StageWork& stage, Field<T>& in, Field<T>& out) {
  const Box outputs = stage.plan.output.owned(communicator_.rank());
  HaloExchange<T>& exchange = *stage.exchange;
  {
    const Stopwatch watch(executor_, "exchange", times_.exchange);
    exchange.start(in);
  }
  // FFTs compute whole pairs of blocks, so a separate computation of the rim would compute the
  // pairs at the rim again. A fit at an edge may read ghost points that have not arrived yet.
  // Separable sums over three axes on a GPU have a single scratch memory, so two lanes cannot
  // compute them at the same time.
  const bool by_passes = stage.plan.choice.method == Method::separable &&
                         stage.plan.choice.mask.taps.depth > 1 && !executor_.is_host();
  const bool in_one = stage.plan.choice.method == Method::fft || stage.plan.edge_fit || by_passes;
  WorkSplit split;
  if (!in_one)
    split = split_work(outputs, in.subdomain().owned, stage.plan.sampling, exchange.pending());
  {
    const NamedRange range(executor_, "interior");
    compute(stage, split.inner, in, out, Lane::work);
  }
  {
    const Stopwatch watch(executor_, "exchange", times_.exchange);
    exchange.finish();
  }
  const NamedRange range(executor_, in_one ? "interior and rim" : "rim");
  // The work lane has filled the ghost points that are copies of this rank's own points, and
  // finish() made this lane wait for the received ghost points.
  if (in_one) compute(stage, outputs, in, out, Lane::work);
  // the rim is computed at the same time as the inner points, which the work lane may still be
  // computing
  for (const Box& box : split.rim) compute(stage, box, in, out, Lane::exchange);
  if (!split.rim.empty()) executor_.order(Lane::exchange, Lane::work);
  bytes_sent_ += exchange.bytes_sent();
}

/// Computes several steps after one exchange. On a CPU, the exchange finishes before the first
/// step. If the points that need no ghost points were computed during the exchange, intermediate
/// steps at the border between them and the other points would be computed twice.
template <class T>
void Pipeline<T>::sweep(StageWork& stage, Index steps, Field<T>& in, Field<T>& out) {
  const Box owned = in.subdomain().owned;
  HaloExchange<T>& exchange = *stage.exchange;
  const bool overlaps = !executor_.is_host();
  {
    const Stopwatch watch(executor_, "exchange", times_.exchange);
    exchange.start(in);
    if (!overlaps) exchange.finish();
  }
  WorkSplit split{.inner = owned, .rim = {}};
  if (overlaps) split = split_work(owned, owned, reach_of(stage.plan, steps), exchange.pending());
  advance_box(stage, steps, split.inner, in, out, Lane::work);
  if (overlaps) {
    const Stopwatch watch(executor_, "exchange", times_.exchange);
    exchange.finish();
  }
  for (const Box& box : split.rim) advance_box(stage, steps, box, in, out, Lane::exchange);
  if (!split.rim.empty()) executor_.order(Lane::exchange, Lane::work);
  bytes_sent_ += exchange.bytes_sent();
}

template <class T>
void Pipeline<T>::advance_box(const StageWork& stage, Index steps, const Box& box,
                              const Field<T>& in, Field<T>& out, Lane lane) {
  if (box.empty()) return;
  const Stopwatch watch(executor_, "compute", times_.compute);
  run_steps(stage.plan, *stage.kernel, steps, box, in.window(box), out.window(box), lane);
}

template <class T>
void Pipeline<T>::compute(const StageWork& stage, const Box& outputs, const Field<T>& in,
                          Field<T>& out, Lane lane) {
  if (outputs.empty()) return;
  const Stopwatch watch(executor_, "compute", times_.compute);
  run_step(stage.plan, *stage.kernel, in.window(reads_of(stage.plan, outputs)), out.window(outputs),
           outputs.first, lane);
}

template class Pipeline<float>;
template class Pipeline<double>;

}  // namespace stencil
