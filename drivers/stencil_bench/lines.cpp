#include "drivers/stencil_bench/lines.hpp"

#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <array>
#include <string>
#include <vector>

#include "drivers/stencil_bench/beside_copy.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "kernels/cpu/lines_walk.hpp"
#include "kernels/cpu/vector_extension.hpp"

namespace stencil::bench {
namespace {

template <class T>
void run_lines(benchmark::State& state, Index width, const Point& outputs) {
  CpuExecutor executor;
  const Index reach = width / 2;
  const std::vector<double> taps(std::size_t(width), 1 / double(width));
  std::array<Stencil<T>, axes> lines;
  for (int axis = 0; axis < axes; ++axis)
    lines[std::size_t(axis)] =
        make_stencil<T>(Mask::line(taps, Axis(axis)), Method::direct, {1, 1}, {});
  const Halo around{{reach, reach, reach}, {reach, reach, reach}};
  Field<T> source(executor, {make_box(outputs), around}), target(executor, {make_box(outputs), {}});
  const FieldView<T> view = source.ghosted();
#pragma omp parallel for schedule(static)
  for (Index b = 0; b < view.extent[0]; ++b)
    for (Index y = 0; y < view.extent[1]; ++y)
      for (Index x = 0; x < view.extent[2]; ++x)
        view.at(b, y, x) = T((x * 7919 + y * 104729 + b * 1299709) % 1000) / 1000;
  const double count = double(points(outputs));
  run_beside_copy<T>(state, {count, count * 2 * sizeof(T), count * double(axes * width)}, source,
                     target, [&] {
                       cpu::walk_lines<T>(lines, cpu::row_kernels<T>(cpu::vector_extension()),
                                          source.ghosted(), target.owned());
                     });
}

template <class T>
void register_type(const std::string& type, const Point& outputs) {
  for (const Index width : {9, 17, 33})
    benchmark::RegisterBenchmark(
        fmt::format("cpu/volume/three_lines/{}/{}", width, type).c_str(),
        [=](benchmark::State& state) { run_lines<T>(state, width, outputs); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_lines() {
  register_type<float>("f32", {400, 400, 400});
  register_type<double>("f64", {320, 320, 320});
}

}  // namespace stencil::bench
