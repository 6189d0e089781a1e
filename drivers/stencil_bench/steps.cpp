#include "drivers/stencil_bench/steps.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "drivers/stencil_bench/beside_copy.hpp"
#include "drivers/stencil_bench/cases.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "kernels/cpu/advance_cpu.hpp"
#include "kernels/step_depth.hpp"
#include "kernels/volume_step_depth.hpp"

namespace stencil::bench {
namespace {

constexpr Index steps = 100;

/// Returns a field with a halo for a mask.
template <class T>
Field<T> wavy_field(CpuExecutor& executor, const Point& world, const Halo& halo) {
  Field<T> field(executor, {make_box(world), halo});
  const FieldView<T> view = field.ghosted();
#pragma omp parallel for collapse(2) schedule(static)
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) = T((x * 7919 + y * 104729 + b * 1299709) % 1000) / 1000;
  return field;
}

/// Returns the number of steps per sweep that a run would compute.
Index depth_of(const Mask& mask, Index adds, Index element, const Point& world) {
  const Taps& taps = mask.taps;
  if (taps.depth > 1)
    return volume_steps_per_sweep({.mask = {taps.depth, taps.height, taps.width},
                                   .adds = adds,
                                   .element = element,
                                   .block = world,
                                   .steps = steps});
  return steps_per_sweep({.mask = {taps.height, taps.width},
                          .adds = adds,
                          .element = element,
                          .block = {world[y_axis], world[x_axis]},
                          .steps = steps,
                          .shares_rows = true});
}

/// @param adds   multiply-adds per point and step
/// @param depth  steps per sweep; 0 for as many as a run would compute
template <class T>
void run_steps(benchmark::State& state, const Mask& mask, Index adds, const Point& world,
               Index depth) {
  CpuExecutor executor;
  const Point reach{mask.centre_plane, mask.centre[0], mask.centre[1]};
  Field<T> source = wavy_field<T>(executor, world, {reach, reach}),
           target = wavy_field<T>(executor, world, {reach, reach});
  const auto stencil = make_stencil<T>(mask, Method::direct, {1, 1}, {});
  const auto along = [&](int axis) {
    return StepAxis{{0, world[axis]}, BoundaryRule::reflect, reach[axis], reach[axis]};
  };
  const StepEdges edges{
      .axis = {along(y_axis), along(x_axis)}, .value = 0, .batch = along(batch_axis)};
  if (depth == 0) depth = depth_of(mask, adds, sizeof(T), world);
  const double outputs = double(steps) * double(points(world));
  // the limit is one copy per step, and several steps per sweep can exceed the rate of this copy
  run_beside_copy<T>(state, {outputs, outputs * 2 * sizeof(T), outputs * double(adds)}, source,
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
  const auto add = [&](const std::string& name, const Mask& mask, Index adds, const Point& world,
                       Index depth = 0) {
    benchmark::RegisterBenchmark(
        ("cpu/" + name + "/" + type).c_str(),
        [=](benchmark::State& state) { run_steps<T>(state, mask, adds, world, depth); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  add("steps/5pt", Mask::grid({0, 0.1, 0, 0.2, 0.4, 0.15, 0, 0.1, 0}, 3, 3), 5, {1, 8192, 8192});
  add("steps/9pt", Mask::grid({0.05, 0.1, 0.05, 0.2, 0.2, 0.15, 0.05, 0.1, 0.1}, 3, 3), 9,
      {1, 4096, 4096});
  for (const Index reach : {1, 2, 4})
    add("volume_steps/star" + std::to_string(6 * reach + 1), star(reach), 6 * reach + 1,
        {256, 256, 256});
  add("volume_steps/star7_single", star(1), 7, {256, 256, 256}, 1);
}

}  // namespace

void register_steps() {
  register_type<float>("f32");
  register_type<double>("f64");
}

}  // namespace stencil::bench
