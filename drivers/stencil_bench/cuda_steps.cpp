// Benchmarks of several steps of small masks in one sweep on a GPU, such as `cuda/steps/5pt/f32`.
// The time is compared with that of one copy per step, and may be shorter. Only in builds with
// CUDA; without a GPU no case is registered.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field.hpp"
#include "kernels/bind/bind_stencil.hpp"
#include "kernels/cuda/device_array.hpp"
#include "kernels/cuda/limits.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/generated/step_spec.hpp"
#include "kernels/step_depth.hpp"

namespace {

using namespace stencil;

constexpr Index steps = 100;

template <class T>
void run_steps(benchmark::State& state, const Mask& mask, Method method, const Point& world) {
  static const cuda::CudaLimits limit = cuda::measure_cuda_limits<T>();
  static cuda::CudaExecutor gpu(0);
  const auto stencil = make_stencil<T>(mask, method, {1, 1}, {});
  const auto step_mask = generated::step_mask(stencil, {stencil.height / 2, stencil.width / 2});
  const int adds = step_mask->adds();
  const Index depth = gpu_steps_per_sweep({.mask = {stencil.height, stencil.width},
                                           .element = sizeof(T),
                                           .block = {world[1], world[2]},
                                           .steps = steps},
                                          generated::deepest_sweep(*step_mask));
  const Subdomain block{make_box(world), {}};
  Field<T> source(gpu, block), target(gpu, block);
  cuda::fill_random(source.ghosted(), 7);
  const Index above = stencil.height / 2, beside = stencil.width / 2;
  const StepEdges edges{.axis = {StepAxis{{0, world[1]}, BoundaryRule::reflect, above, above},
                                 StepAxis{{0, world[2]}, BoundaryRule::reflect, beside, beside}}};
  const auto kernel = bind_stencil<T>(gpu, stencil);
  const auto run = [&] {
    const auto start = std::chrono::steady_clock::now();
    for (Index done = 0; done < steps; done += depth) {
      kernel->advance(edges, std::min(depth, steps - done), source.owned(), target.owned(),
                      Lane::work);
      std::swap(source, target);
    }
    gpu.synchronize();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  run();
  double seconds = 0;
  for (auto _ : state) {
    std::array<double, 5> runs;
    std::generate(runs.begin(), runs.end(), run);
    std::nth_element(runs.begin(), runs.begin() + 2, runs.end());
    seconds = runs[2];
    state.SetIterationTime(seconds);
  }
  const Index sweeps_in_all = (steps + depth - 1) / depth;
  const double sweeps = double(sweeps_in_all), outputs = double(points(world));
  const double copy = 2 * sizeof(T) * outputs / limit.copy_bytes_per_second;
  const double sums = double(steps) * outputs * double(adds) / limit.multiply_adds_per_second;
  state.counters["Gpt/s"] = double(steps) * outputs / seconds / 1e9;
  state.counters["share"] = std::max(sweeps * copy, sums) / seconds;
  state.counters["of copy"] = double(steps) * copy / seconds;
  state.counters["copy GB/s"] = limit.copy_bytes_per_second / 1e9;
  state.counters["Gfma/s"] = limit.multiply_adds_per_second / 1e9;
  state.SetLabel(fmt::format("{} steps per sweep", depth));
}

/// Returns a mask whose taps sum to 1. All taps are positive; in a star, only the taps on the two
/// axes are positive, and the others are 0.
Mask weighted(Index side, bool is_star) {
  std::vector<double> taps;
  double sum = 0;
  for (Index k = 0; k < side * side; ++k) {
    const bool is_left_out = is_star && k / side != side / 2 && k % side != side / 2;
    taps.push_back(is_left_out ? 0 : 1 + 0.1 * double(k % 7));
    sum += taps.back();
  }
  for (double& tap : taps) tap /= sum;
  return Mask::grid(std::move(taps), side, side);
}

template <class T>
void register_type(const std::string& type, const Point& grid, Index line) {
  const auto add = [&](const std::string& name, Mask mask, const Point& world,
                       Method method = Method::direct) {
    mask.multiply_zeros = false;
    benchmark::RegisterBenchmark(
        fmt::format("cuda/steps/{}/{}", name, type).c_str(),
        [=](benchmark::State& state) { run_steps<T>(state, mask, method, world); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  };
  // The taps sum to 1, so that values neither grow nor decay.
  add("5pt", Mask::grid({0, 0.1, 0, 0.2, 0.45, 0.15, 0, 0.1, 0}, 3, 3), grid);
  add("4pt", Mask::grid({0, 0.25, 0, 0.25, 0, 0.25, 0, 0.25, 0}, 3, 3), grid);
  add("9pt", Mask::grid({0.05, 0.1, 0.05, 0.2, 0.2, 0.15, 0.05, 0.1, 0.1}, 3, 3), grid);
  add("separable3", Mask::outer({0.25, 0.5, 0.25}, {0.3, 0.4, 0.3}), grid, Method::separable);
  add("star2", weighted(5, true), grid);
  add("5x5", weighted(5, false), grid);
  add("star3", weighted(7, true), grid);
  add("star4", weighted(9, true), grid);
  add("separable5", Mask::outer({0.1, 0.2, 0.4, 0.2, 0.1}, {0.1, 0.25, 0.3, 0.2, 0.15}), grid,
      Method::separable);
  add("line3", Mask::line({0.3, 0.4, 0.3}), {1, 1, line});
  add("column3", Mask::line({0.3, 0.4, 0.3}, y_axis), grid);
}

[[maybe_unused]] const bool registered = [] {
  if (!cuda::have_gpu()) return false;
  const auto add = [](const Point& grid, Index line, const std::string& end) {
    register_type<float>("f32" + end, grid, line);
    register_type<double>("f64" + end, grid, line);
  };
  add({1, 16384, 16384}, 1 << 28, "");
  add({1, 12007, 10007}, (1 << 28) - 57, "/odd");
  add({1, 2048, 2048}, 1 << 22, "/small");
  return true;
}();

}  // namespace
