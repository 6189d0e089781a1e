#include "drivers/pipeline.hpp"

#include <optional>
#include <utility>

namespace stencil {
namespace {

/// Adds the seconds of a scope to a total, and names it in a profiler's timeline.
class Stopwatch {
 public:
  Stopwatch(Executor& executor, const char* name, double& total)
      : executor_(executor), total_(total), start_(MPI_Wtime()) {
    executor.begin_range(name);
  }
  ~Stopwatch() {
    executor_.end_range();
    total_ += MPI_Wtime() - start_;
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  Executor& executor_;
  double& total_;
  double start_;
};

template <class T>
std::unique_ptr<BoundStencil<T>> bind(Executor& executor, const StagePlan& stage,
                                      const std::string& kernel) {
  if (stage.channels)
    return bind_channels<T>(executor, make_channel_stencil<T>(*stage.channels, stage.stride),
                            kernel);
  return bind_stencil<T>(
      executor,
      make_stencil<T>(stage.choice.mask, stage.choice.method, stage.stride, stage.min_valid),
      kernel);
}

}  // namespace

template <class T>
Pipeline<T>::Pipeline(const Communicator& communicator, const Plan& plan, Executor& executor)
    : communicator_(communicator),
      plan_(plan),
      executor_(executor),
      transport_(make_transport(plan.transport, communicator, executor)) {
  communicator.agree([&] {
    for (const StagePlan& stage : plan.stages)
      stages_.push_back({stage, bind<T>(executor, stage, plan.kernel), nullptr});
  });
  for (Stage& stage : stages_)
    stage.exchange =
        std::make_unique<HaloExchange<T>>(communicator, stage.plan.input, stage.plan.halo,
                                          stage.plan.boundary, executor, *transport_.transport);
}

template <class T>
Field<T> Pipeline<T>::make_field(std::size_t stage) const {
  const int rank = communicator_.rank();
  if (stage < stages_.size()) {
    const StagePlan& plan = stages_[stage].plan;
    return {executor_, {plan.input.owned(rank), plan.halo}};
  }
  return {executor_, {stages_.back().plan.output.owned(rank), {}}};
}

template <class T>
Field<T> Pipeline<T>::make_input() const {
  return make_field(0);
}

template <class T>
Field<T> Pipeline<T>::run(Field<T> input, const std::function<void(Index)>& on_step) {
  Field<T> current = std::move(input);
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = stages_[i];
    std::optional<Field<T>> next;
    // between the steps of one stage two fields of its own shape change places
    std::optional<Field<T>> other;
    communicator_.agree([&] {
      next = make_field(i + 1);
      if (stage.plan.steps > 1) other = make_field(i);
    });
    for (Index n = 1; n <= stage.plan.steps; ++n) {
      const bool last = n == stage.plan.steps;
      step(stage, current, last ? *next : *other);
      if (!last) std::swap(current, *other);
      on_step(points(stage.plan.output.shape()));
    }
    {
      const Stopwatch watch(executor_, "compute", times_.compute);
      executor_.synchronize();  // kernels of a GPU may still run
    }
    current = std::move(*next);
  }
  return current;
}

template <class T>
void Pipeline<T>::step(Stage& stage, const Field<T>& in, const Field<T>& out) {
  const Box outputs = stage.plan.output.owned(communicator_.rank());
  HaloExchange<T>& exchange = *stage.exchange;
  {
    const Stopwatch watch(executor_, "exchange", times_.exchange);
    exchange.start(in);
  }
  const WorkSplit split =
      split_work(outputs, in.subdomain().owned, stage.plan.sampling, exchange.pending());
  compute(stage, split.inner, in, out, Lane::work);
  {
    const Stopwatch watch(executor_, "exchange", times_.exchange);
    exchange.finish();
  }
  // beside the inner points, which may still be at work on the other lane
  for (const Box& box : split.rim) compute(stage, box, in, out, Lane::exchange);
  if (!split.rim.empty()) executor_.order(Lane::exchange, Lane::work);
  bytes_sent_ += exchange.bytes_sent();
}

template <class T>
void Pipeline<T>::compute(const Stage& stage, const Box& outputs, const Field<T>& in,
                          const Field<T>& out, Lane lane) {
  if (outputs.empty()) return;
  const Stopwatch watch(executor_, "compute", times_.compute);
  Box inputs;
  for (int axis = 0; axis < axes; ++axis)
    inputs.set(axis, stage.plan.sampling[axis].reads(outputs.along(axis)));
  FieldView<const T> source = in.window(inputs);
  FieldView<T> target = out.window(outputs);
  if (stage.plan.mask_axis == batch_axis) {  // the kernels know masks along y and x only
    source = source.transposed_outer();
    target = target.transposed_outer();
  }
  stage.kernel->run(source, target, lane);
}

template class Pipeline<float>;
template class Pipeline<double>;

}  // namespace stencil
