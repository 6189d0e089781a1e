#include "drivers/stencil_bench/steps.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "drivers/stencil_bench/beside_copy.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "kernels/cpu/advance_cpu.hpp"
#include "kernels/step_depth.hpp"

namespace stencil::bench {
namespace {

constexpr Index steps = 100;

/// Returns a field with a halo for masks of three rows and columns.
template <class T>
Field<T> wavy_field(CpuExecutor& executor, Index side) {
  Field<T> field(executor, {make_box({1, side, side}), {{0, 1, 1}, {0, 1, 1}}});
  const FieldView<T> view = field.ghosted();
#pragma omp parallel for schedule(static)
  for (Index y = 0; y < view.extent[1]; ++y)
    for (Index x = 0; x < view.extent[2]; ++x)
      view.at(0, y, x) = T((x * 7919 + y * 104729) % 1000) / 1000;
  return field;
}

template <class T>
void run_steps(benchmark::State& state, const Mask& mask, Index taps, Index side) {
  CpuExecutor executor;
  Field<T> source = wavy_field<T>(executor, side), target = wavy_field<T>(executor, side);
  const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
  const StepAxis axis{{0, side}, BoundaryRule::reflect, 1, 1};
  const StepEdges edges{.axis = {axis, axis}, .value = 0};
  const Index depth = steps_per_sweep({.mask = {3, 3},
                                       .adds = taps,
                                       .element = sizeof(T),
                                       .block = {side, side},
                                       .steps = steps,
                                       .shares_rows = true});
  const double outputs = double(steps) * double(side * side);
  // one copy per step; several steps per sweep can exceed its rate
  run_beside_copy<T>(state, {outputs, outputs * 2 * sizeof(T), outputs * double(taps)}, source,
                     target, [&] {
                       for (Index done = 0; done < steps; done += depth) {
                         advance_cpu<T>(stencil, edges, std::min(depth, steps - done),
                                        source.owned(), target.owned());
                         std::swap(source, target);
                       }
                     });
  state.counters["steps per sweep"] = double(depth);
}

template <class T>
void register_type(const std::string& type) {
  const auto add = [&](const std::string& name, const std::vector<double>& taps, Index count,
                       Index side) {
    benchmark::RegisterBenchmark(
        ("cpu/steps/" + name + "/" + type).c_str(),
        [=](benchmark::State& state) { run_steps<T>(state, Mask::grid(taps, 3, 3), count, side); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("5pt", {0, 0.1, 0, 0.2, 0.4, 0.15, 0, 0.1, 0}, 5, 8192);
  add("9pt", {0.05, 0.1, 0.05, 0.2, 0.2, 0.15, 0.05, 0.1, 0.1}, 9, 4096);
}

}  // namespace

void register_steps() {
  register_type<float>("f32");
  register_type<double>("f64");
}

}  // namespace stencil::bench
