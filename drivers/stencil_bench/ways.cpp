#include "drivers/stencil_bench/ways.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <cmath>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>

#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/chain.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/vector_extension.hpp"
#include "kernels/method/fft_tile_choice.hpp"

namespace stencil::bench {
namespace {

using Json = nlohmann::ordered_json;

/// Of this thread, or of the clock where several compute.
double seconds_now() {
  timespec now{};
  ::clock_gettime(omp_get_max_threads() == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return double(now.tv_sec) + 1e-9 * double(now.tv_nsec);
}

template <class Work>
double seconds_of(const Work& work) {
  const double start = seconds_now();
  work();
  return seconds_now() - start;
}

/// Taps without a symmetry; those of a disk are 0 outside of it.
Mask dense_mask(Index height, Index width, bool is_disk) {
  std::vector<double> taps;
  for (Index y = 0; y < height; ++y)
    for (Index x = 0; x < width; ++x) {
      const double v = (2.0 * double(y) + 1) / double(height) - 1,
                   u = (2.0 * double(x) + 1) / double(width) - 1;
      const double k = double(y * width + x);
      taps.push_back(is_disk && u * u + v * v > 1 ? 0 : std::sin(1 + 1.7 * (k * k + 1)));
    }
  if (height == 1 || width == 1) return Mask::line(taps, width == 1 ? y_axis : x_axis);
  return Mask::grid(taps, height, width);
}

/// A sum of separable masks that hardly cancel. One term is a mask that knows its factors, several
/// have to be found.
Mask sum_of_outer(Index height, Index width, Index terms) {
  const auto factor = [](Index count, double seed, double least) {
    std::vector<double> taps;
    for (Index i = 0; i < count; ++i)
      taps.push_back(least + std::sin(seed + 1.7 * double(i * i + 1)));
    return taps;
  };
  std::vector<double> taps(height * width, 0.0);
  for (Index k = 0; k < terms; ++k) {
    const auto column = factor(height, 4 + double(k), k == 0 ? 2 : 0),
               row = factor(width, 7 - double(k), k == 0 ? 2 : 0);
    if (terms == 1) return Mask::outer(column, row);
    for (Index n = 0; n < height * width; ++n) taps[n] += column[n / width] * row[n % width];
  }
  return Mask::grid(taps, height, width);
}

Mask mask_of(const std::string& kind, Index height, Index width) {
  if (kind == "dense" || kind == "disk") return dense_mask(height, width, kind == "disk");
  if (kind == "outer") return sum_of_outer(height, width, 1);
  if (kind == "sum 2") return sum_of_outer(height, width, 2);
  if (kind == "sum 3") return sum_of_outer(height, width, 3);
  throw WordsError(fmt::format("mask = {}: write dense, disk, outer, sum 2 or sum 3", kind));
}

Stage stage_of(const Json& problem) {
  const auto [height, width] = problem["taps"].get<std::array<Index, 2>>();
  Stage stage;
  stage.mask = mask_of(problem["mask"], height, width);
  stage.stride = problem.value("stride", std::array<Index, 2>{1, 1});
  stage.steps = problem.value("steps", Index{1});
  return stage;
}

/// One way to sum the mask of a problem, and what it took.
template <class T>
class Timed {
 public:
  Timed(const Stage& stage, const Point& shape, MethodRequest method) : stage_(stage) {
    stage_.method = method;
    chain_ = make_chain({stage_}, shape, precision);
  }

  /// Cuts the axes of transforms in another way than the plan would.
  /// @param points  of a block, or {y, x} of a tile; a third number, 0: a tile without a lead
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

  /// Times making the kernel, and then computing.
  void run(CpuExecutor& executor) {
    const BoundStage& stage = chain_.stages[0];
    std::unique_ptr<BoundStencil<T>> kernel;
    setup_.push_back(seconds_of([&] { kernel = bind_kernel<T>(executor, stage, {}); }));
    if (!source_) {
      source_.emplace(executor, Subdomain{stage.input.owned(0), stage.halo});
      target_.emplace(executor, Subdomain{stage.output.owned(0), {}});
      fill(source_->ghosted());
      fill(target_->ghosted());
    }
    const double sweeps = double(stage.steps) / double(stage.steps_per_sweep);
    compute_.push_back(sweeps * seconds_of([&] { sweep(*kernel); }));
  }

  Json told() const {
    return {{"way", to_string(choice().work.way)},
            {"amounts", choice().work.amounts},
            {"setup", setup_},
            {"compute", compute_}};
  }

 private:
  static constexpr Precision precision = sizeof(T) == 8 ? Precision::float64 : Precision::float32;

  static void fill(const FieldView<T>& view) {
    for (Index b = 0; b < view.extent[0]; ++b)
      for (Index y = 0; y < view.extent[1]; ++y)
        for (Index x = 0; x < view.extent[2]; ++x)
          view.at(b, y, x) = T(((b * 7919 + y) * 104729 + x * 40503) % 65536) / T(65536) - T(0.5);
  }

  void sweep(const BoundStencil<T>& kernel) {
    const BoundStage& stage = chain_.stages[0];
    const Box outputs = stage.output.owned(0);
    if (stage.steps_per_sweep > 1) {
      const StepEdges edges{.axis = {step_axis(stage, y_axis, outputs.along(y_axis)),
                                     step_axis(stage, x_axis, outputs.along(x_axis))},
                            .value = 0};
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

/// Multiply-adds in registers per second of one thread.
template <class T>
double multiply_adds_per_second() {
  constexpr Index rounds = 100'000;
  const auto& kernels = cpu::row_kernels<T>(cpu::vector_extension());
  volatile T sink = 0;
  const double seconds = seconds_of([&] { sink = kernels.multiply_adds(rounds, T(0.999)); });
  return double(rounds) * double(kernels.adds_per_round) / seconds;
}

template <class T>
Json timed(const Json& problem) {
  const Stage stage = stage_of(problem);
  const Point shape = problem["shape"].get<Point>();
  CpuExecutor executor;
  std::vector<Timed<T>> ways;
  for (const MethodRequest method :
       {MethodRequest::direct, MethodRequest::separable, MethodRequest::fft}) {
    try {
      Timed<T> way(stage, shape, method);
      const bool is_known = !ways.empty() && way.choice().method == ways.front().choice().method;
      if (!is_known) ways.push_back(std::move(way));
      if (method == MethodRequest::fft && problem.contains("cut")) ways.back().cut(problem["cut"]);
    } catch (const ShapeError&) {
      continue;  // not a way for this mask
    }
  }
  std::vector<double> rates;
  for (Index n = 0; n < problem.value("rounds", Index{5}); ++n) {
    rates.push_back(multiply_adds_per_second<T>());
    for (Timed<T>& way : ways) way.run(executor);
  }
  const MethodChoice chosen = Timed<T>(stage, shape, MethodRequest::automatic).choice();
  Json answer{{"auto", to_string(chosen)}, {"reason", chosen.reason}, {"adds_per_second", rates}};
  for (const MethodCost& cost : chosen.costs) answer["costs"][cost.method] = cost.taps;
  for (const Timed<T>& way : ways) answer["ways"][to_string(way.choice())] = way.told();
  return answer;
}

}  // namespace

int time_ways() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const Json problem = Json::parse(line);
    const bool is_double = problem.at("type") == "float64";
    std::cout << (is_double ? timed<double>(problem) : timed<float>(problem)) << std::endl;
  }
  return 0;
}

}  // namespace stencil::bench
