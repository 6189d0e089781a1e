#include "drivers/stencil_bench/ways.hpp"

#include <functional>
#include <iostream>
#include <optional>

#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/stencil_bench/ways_cpu.hpp"
#include "drivers/stencil_bench/ways_gpu.hpp"
#include "drivers/stencil_bench/ways_problem.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/error.hpp"
#include "kernels/method/fft_tile_choice.hpp"
#include "kernels/method/gpu_costs.hpp"

namespace stencil::bench {
namespace {

/// One method of summing the mask of a problem, and its times.
template <class T>
class Timed {
 public:
  Timed(const Stage& stage, const Point& shape, MethodRequest method, Backend backend)
      : stage_(stage) {
    stage_.method = method;
    chain_ = make_chain({stage_}, shape, precision, backend);
  }

  /// Sets the size of transform blocks.
  /// @param points  points of a block, or {y, x} of a tile; if a third number is given and is 0,
  ///                the tile has no lead
  void cut(const std::vector<Index>& points) {
    BoundStage& stage = chain_.stages[0];
    MethodChoice& choice = stage.choice;
    const MethodSite site =
        method_site(stage, precision, Backend::cpu, stage.sampling[batch_axis].count);
    if (choice.tiles.empty()) {
      choice.blocks.points = points.at(0);
      choice.work = work_by_blocks(choice.blocks, choice.mask, site);
    } else {
      choice.tiles.y.points = points.at(0), choice.tiles.x.points = points.at(1);
      choice.tiles = with_lead(choice.tiles, site.world);
      if (points.size() > 2 && choice.tiles.x.lead > 0)
        choice.tiles.x.lead = 0, choice.tiles.on_lines = false;
      choice.work = work_by_tiles(choice.tiles, site);
    }
    split(chain_, Decomposition(chain_.input_shape()));
  }

  const MethodChoice& choice() const { return chain_.stages[0].choice; }

  /// Returns the seconds of transfers of inputs and outputs between host and GPU; 0 on CPUs.
  double transfer_seconds() const {
    const BoundStage& stage = chain_.stages[0];
    const MethodSite site =
        method_site(stage, precision, chain_.backend, stage.sampling[batch_axis].count);
    return site.on_gpu() ? gpu_transfer_seconds(choice().mask.taps, site) : 0;
  }

  /// Times the construction of the kernel, and then the computation.
  void run(WaysDevice& device) {
    const BoundStage& stage = chain_.stages[0];
    Executor& executor = device.executor();
    std::unique_ptr<BoundStencil<T>> kernel;
    setup_.push_back(device.setup_seconds([&] { kernel = bind_kernel<T>(executor, stage); }));
    if (!source_) {
      source_.emplace(executor, Subdomain{stage.input.owned(0), stage.halo});
      target_.emplace(executor, Subdomain{stage.output.owned(0), {}});
      device.fill(source_->ghosted());
      device.fill(target_->ghosted());
    }
    const double sweeps = double(stage.steps) / double(stage.steps_per_sweep);
    compute_.push_back(sweeps * device.compute_seconds([&] { sweep(*kernel); }));
  }

  Json told() const {
    return {{"way", to_string(choice().work.way)},
            {"amounts", choice().work.amounts},
            {"setup", setup_},
            {"compute", compute_}};
  }

 private:
  static constexpr Precision precision = sizeof(T) == 8 ? Precision::float64 : Precision::float32;

  void sweep(const BoundStencil<T>& kernel) {
    const BoundStage& stage = chain_.stages[0];
    const Box outputs = stage.output.owned(0);
    if (stage.steps_per_sweep > 1) {
      const StepEdges edges{.axis = {step_axis(stage, y_axis, outputs.along(y_axis)),
                                     step_axis(stage, x_axis, outputs.along(x_axis))},
                            .value = 0,
                            .batch = step_axis(stage, batch_axis, outputs.along(batch_axis))};
      kernel.advance(edges, stage.steps_per_sweep, source_->window(outputs),
                     target_->window(outputs), Lane::work);
      return;
    }
    Box inputs;
    for (int axis = 0; axis < axes; ++axis)
      inputs.set(axis, stage.reads(axis, outputs.along(axis)));
    kernel.run(source_->window(inputs), target_->window(outputs), Lane::work,
               stage.anchor(outputs.first));
  }

  Stage stage_;
  Chain chain_;
  std::optional<Field<T>> source_, target_;
  std::vector<double> setup_, compute_;
};

/// Returns every method by which a problem's mask can be summed.
template <class T>
std::vector<Timed<T>> ways_of(const Json& problem, Backend backend) {
  const Stage stage = stage_of(problem);
  const Point shape = problem["shape"].get<Point>();
  std::vector<Timed<T>> ways;
  for (const MethodRequest method :
       {MethodRequest::direct, MethodRequest::separable, MethodRequest::fft}) {
    try {
      Timed<T> way(stage, shape, method, backend);
      const bool is_known = !ways.empty() && way.choice().method == ways.front().choice().method;
      if (!is_known) ways.push_back(std::move(way));
      if (method == MethodRequest::fft && problem.contains("cut")) ways.back().cut(problem["cut"]);
    } catch (const ShapeError&) {
      continue;  // the method cannot sum this mask
    }
  }
  return ways;
}

template <class T>
Json timed(const Json& problem, const std::function<WaysDevice&(Backend)>& device_of) {
  const Backend backend = problem.value("backend", "cpu") == "cuda" ? Backend::cuda : Backend::cpu;
  std::vector<Timed<T>> ways = ways_of<T>(problem, backend);
  std::vector<double> rates;
  for (Index n = 0; n < problem.value("rounds", Index{5}); ++n) {
    WaysDevice& device = device_of(backend);
    rates.push_back(device.adds_per_second(sizeof(T)));
    for (Timed<T>& way : ways) way.run(device);
  }
  const Timed<T> automatic(stage_of(problem), problem["shape"].get<Point>(),
                           MethodRequest::automatic, backend);
  const MethodChoice& chosen = automatic.choice();
  Json answer{{"auto", to_string(chosen)},
              {"reason", chosen.reason},
              {"adds_per_second", rates},
              {"transfer", automatic.transfer_seconds()}};
  for (const MethodCost& cost : chosen.costs) answer["costs"][cost.method] = cost.taps;
  for (const Timed<T>& way : ways) answer["ways"][to_string(way.choice())] = way.told();
  return answer;
}

}  // namespace

int time_ways() {
  std::unique_ptr<WaysDevice> cpu, gpu;
  const auto device_of = [&](Backend backend) -> WaysDevice& {
    std::unique_ptr<WaysDevice>& device = backend == Backend::cuda ? gpu : cpu;
    if (!device) device = backend == Backend::cuda ? ways_on_gpu() : ways_on_cpu();
    return *device;
  };
  std::string line;
  while (std::getline(std::cin, line)) {
    const Json problem = Json::parse(line);
    const bool is_double = problem.at("type") == "float64";
    std::cout << (is_double ? timed<double>(problem, device_of) : timed<float>(problem, device_of))
              << std::endl;
  }
  return 0;
}

}  // namespace stencil::bench
