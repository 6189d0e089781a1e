// stencil_bench: benchmarks of kernels relative to the limits of this machine, measured in the same
// run.
//
// Every case prints Gpt/s (billions of output points per second) and `share`: the ratio of this
// rate to the limiting rate, which is that of a copy with streaming stores for few taps, and that
// of fused multiply-adds for many taps. Accepts all flags of Google Benchmark, for example
// --benchmark_filter=dense --benchmark_format=json.
//
// Other modes: `stencil_bench strategies` compares the tiling strategies (examples/strategies).
// `stencil_bench nchw` compares masks that mix channels with cuDNN, if cuDNN is available.
// `stencil_bench ways` measures the time of every method on problems from standard input
// (scripts/fit_costs). `stencil_bench apply` measures how much longer a call on an array takes than
// the sums. `mpirun -n 4 stencil_bench scaling` measures the weak scaling of time steps, or of
// single sweeps of any mask.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <random>

#include "drivers/stencil_bench/apply_calls.hpp"
#include "drivers/stencil_bench/beside_copy.hpp"
#include "drivers/stencil_bench/cases.hpp"
#include "drivers/stencil_bench/lines.hpp"
#include "drivers/stencil_bench/nchw.hpp"
#include "drivers/stencil_bench/scaling.hpp"
#include "drivers/stencil_bench/steps.hpp"
#include "drivers/stencil_bench/strategies.hpp"
#include "drivers/stencil_bench/ways.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cpu/convolve_cpu.hpp"
#include "kernels/method/fft_tile_choice.hpp"

namespace {

using namespace stencil;

constexpr Index benchmark_points = Index{1} << 26;

template <class T>
Field<T> random_field(CpuExecutor& executor, const Subdomain& subdomain) {
  Field<T> field(executor, subdomain);
  const FieldView<T> view = field.ghosted();
  const Point extent = view.extent;
#pragma omp parallel for collapse(2) schedule(static)
  for (Index b = 0; b < extent[0]; ++b)
    for (Index y = 0; y < extent[1]; ++y) {
      std::minstd_rand random(static_cast<unsigned>(1 + b * extent[1] + y));
      for (Index x = 0; x < extent[2]; ++x)
        view.at(b, y, x) = static_cast<T>(random()) / static_cast<T>(random.max()) - T(0.5);
    }
  return field;
}

/// Sets every n-th point to NaN.
template <class T>
void lose_points(const FieldView<T>& view, Index every) {
  const auto [batches, rows, columns] = view.extent;
  for (Index k = 0; k < batches * rows * columns; k += every)
    view.at(k / columns / rows, k / columns % rows, k % columns) =
        std::numeric_limits<T>::quiet_NaN();
}

/// Returns the subdomain of a case's inputs, with the ghost points of its mask, as in a run.
Subdomain inputs_of(const bench::Case& c) {
  const auto [y, x] = c.mask.centre;
  const Index plane = c.mask.centre_plane;
  const Taps& taps = c.mask.taps;
  const Point owned{c.outputs[0], (c.outputs[1] - 1) * c.stride[0] + 1,
                    (c.outputs[2] - 1) * c.stride[1] + 1};
  return {make_box(owned),
          {{plane, y, x}, {taps.depth - 1 - plane, taps.height - 1 - y, taps.width - 1 - x}}};
}

template <class T>
void run_case(benchmark::State& state, const bench::Case& c) {
  CpuExecutor executor;
  Field<T> source = random_field<T>(executor, inputs_of(c));
  if (c.missing_every > 0) lose_points(source.ghosted(), c.missing_every);
  Field<T> target = random_field<T>(executor, {make_box(c.outputs), {}});
  const bool along_x = c.mask.taps.height == 1;
  const Index axis_outputs = c.outputs[along_x ? x_axis : y_axis];
  const bool two_axes = c.mask.taps.height > 1 && c.mask.taps.width > 1;
  const FftBlocks blocks = c.method == Method::fft && !two_axes
                               ? choose_fft_blocks(c.mask.taps.height * c.mask.taps.width,
                                                   axis_outputs, points(c.outputs) / axis_outputs)
                               : FftBlocks{};
  FftTiles tiles;
  if (c.method == Method::fft && two_axes)
    tiles =
        choose_fft_tiles(c.mask.taps.height, c.mask.taps.width,
                         {{c.outputs[y_axis], c.outputs[x_axis]}, 1, sizeof(T), -c.mask.centre[1]},
                         c.mask.taps.depth);
  const auto stencil = make_stencil<T>(c.mask, c.method, c.stride, c.min_valid, blocks, tiles);
  const double outputs = double(points(c.outputs));
  // all inputs are read, so with a stride more points are read than written
  const double bytes = double(sizeof(T)) * (1.0 + double(c.stride[0] * c.stride[1]));
  bench::run_beside_copy<T>(state, {outputs, outputs * bytes, outputs * double(c.adds)}, source,
                            target,
                            [&] { convolve_cpu<T>(stencil, source.ghosted(), target.owned()); });
}

template <class T>
void register_cases(const std::string& type, Index points) {
  for (const bench::Case& c : bench::cpu_cases(type, points))
    benchmark::RegisterBenchmark(c.name.c_str(),
                                 [c](benchmark::State& state) { run_case<T>(state, c); })
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc > 1 && std::string(argv[1]) == "scaling") return bench::measure_scaling(argc, argv);
  if (argc > 1 && std::string(argv[1]) == "apply") return bench::time_apply(argc, argv);
  if (argc > 1 && std::string(argv[1]) == "ways") return bench::time_ways();
  if (argc > 1 && std::string(argv[1]) == "nchw")
    return bench::compare_nchw({argv + 2, argv + argc});
  if (argc > 1 && std::string(argv[1]) == "strategies")
    return bench::compare_strategies({argv + 2, argv + argc});
  register_cases<float>("f32", benchmark_points);
  register_cases<double>("f64", benchmark_points / 2);
  bench::register_lines();
  bench::register_steps();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  // the names of the kernels are in the benchmark context, because with --benchmark_format=json
  // only JSON may be printed on stdout
  benchmark::AddCustomContext("kernels", cpu_walk_facts());
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const Error& error) {
  std::fflush(stdout);
  std::fprintf(stderr, "stencil_bench: %s\n", error.what());
  return static_cast<int>(error.status());
}
