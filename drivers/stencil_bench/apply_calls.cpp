#include "drivers/stencil_bench/apply_calls.hpp"

#include <fmt/core.h>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "drivers/pipeline/apply.hpp"
#include "drivers/pipeline/bind_kernel.hpp"
#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/stage_kernel.hpp"
#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"

namespace stencil::bench {
namespace {

/// Returns the seconds of one call: processor time of the calling thread, on which other programs
/// have little effect, or wall-clock time if there are several threads.
double seconds_of(const std::function<void()>& call, Index calls) {
  const bool is_alone = omp_get_max_threads() == 1;
  const auto now = [&] {
    timespec time{};
    clock_gettime(is_alone ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
  };
  const double start = now();
  for (Index n = 0; n < calls; ++n) call();
  return (now() - start) / double(calls);
}

void print_times(const std::string& name, const std::function<void()>& call,
                 const std::function<void()>& sums) {
  call(), sums();
  const double once = seconds_of(call, 1);
  const Index calls = std::clamp<Index>(Index(0.01 / once), 1, 2000);
  double both = 1e9, alone = 1e9;
  for (int round = 0; round < 15; ++round) {
    both = std::min(both, 1e6 * seconds_of(call, calls));
    alone = std::min(alone, 1e6 * seconds_of(sums, calls));
  }
  std::printf("%-52s %11.1f us, sums %11.1f us, the rest %9.1f us, ratio %.2f\n", name.c_str(),
              both, alone, both - alone, both / alone);
}

/// Times one stage on an array of {1, y, x} points, and its kernel on fields of the same points.
/// @param turned  whether the array is stored in column-major order
template <class T>
void time_stage(const std::string& name, const Stage& stage, Index side, int threads,
                bool turned = false) {
  const Chain chain = make_chain({stage}, {1, side, side},
                                 sizeof(T) == 8 ? Precision::float64 : Precision::float32);
  const BoundStage& bound = chain.stages.front();
  CpuExecutor host;
  Field<T> input(host, {make_box(bound.input.shape()), bound.halo});
  Field<T> output(host, {make_box(bound.output.shape()), {}});
  const FieldView<T> all = input.ghosted();
  // Large arrays are in large pages, like the arrays of NumPy.
  const std::size_t bytes = std::size_t(side * side) * sizeof(T);
  const Memory from_memory = host.allocate(bytes), to_memory = host.allocate(bytes);
  T* const values = reinterpret_cast<T*>(from_memory.get());
  T* const results = reinterpret_cast<T*>(to_memory.get());
  for (Index k = 0; k < side * side; ++k) values[k] = T(k * 7919 % 1000) / 1000;
  for (Index y = 0; y < all.extent[1]; ++y)
    for (Index x = 0; x < all.extent[2]; ++x) all.at(0, y, x) = T((x * 7919 + y) % 1000) / 1000;
  const auto kernel = bind_kernel<T>(host, bound);
  const Index size = sizeof(T);
  const AxisList strides = turned ? AxisList{size, side * size} : AxisList{side * size, size};
  const ArrayView<const T> from(values, {side, side}, strides);
  const ArrayView<T> to(results, {side, side}, strides);
  const ApplyOptions options{.threads = threads};
  const Field<T>& valid = input;
  const Box outputs = make_box(bound.output.shape());
  print_times(
      fmt::format("{} {}x{} float{}{}", name, side, side, 8 * size, turned ? ", columns" : ""),
      [&] { apply({stage}, from, to, options); },
      [&] {
        run_step(bound, *kernel, valid.window(reads_of(bound, outputs)), output.owned(),
                 outputs.first);
      });
}

template <class T>
void time_type(int threads) {
  const std::vector<double> taps{1, 2, 3, 2, 1, 2, 4, 6, 4, 2, 3, 6,  9,
                                 6, 3, 2, 4, 6, 4, 2, 1, 2, 3, 2, 1.5};
  const Stage grid{.mask = Mask::grid(taps, 5, 5)};
  const Stage small{.mask = Mask::grid({0, 1, 0, 1, -4, 1, 0, 1, 0}, 3, 3)};
  const Stage smooth{.mask = Mask::outer(gaussian_taps(3, 0, 4), gaussian_taps(3, 0, 4))};
  const Stage line{.mask = Mask::line(gaussian_taps(3, 0, 4))};
  for (const Index side : {10, 100, 500, 4000}) {
    time_stage<T>("5x5", grid, side, threads);
    time_stage<T>("3x3", small, side, threads);
    time_stage<T>("gaussian 25x25", smooth, side, threads);
    time_stage<T>("line of 25", line, side, threads);
  }
  std::vector<double> many;
  for (Index k = 0; k < 31 * 31; ++k) many.push_back(double(k * 7919 % 101) / 101);
  time_stage<T>("dense 31x31", {.mask = Mask::grid(many, 31, 31)}, 4000, threads);
  time_stage<T>("line of 961", {.mask = Mask::line(many)}, 4000, threads);
  time_stage<T>("5x5", grid, 4000, threads, true);
}

}  // namespace

int time_apply(int argc, char** argv) {
  int threads = 1;
  for (int n = 2; n < argc; ++n) {
    const std::string word = argv[n];
    const std::string key = "threads=";
    if (!word.starts_with(key) || (threads = std::atoi(word.c_str() + key.size())) < 1)
      throw WordsError(fmt::format("{}: use threads=N, 1 or more", word));
  }
  omp_set_num_threads(threads);
  time_type<float>(threads);
  time_type<double>(threads);
  return 0;
}

}  // namespace stencil::bench
