#include "drivers/stencil_bench/strategies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "examples/strategies/geometry.hpp"
#include "examples/strategies/launch_strategy.hpp"
#include "framework/device/device_facts.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cuda/measure.hpp"
#include "kernels/cuda/uploaded.hpp"

namespace stencil::bench {
namespace {

using cuda::Strategy;

constexpr int warm_ups = 3, repeats = 15;

/// Returns taps without a symmetry that a kernel could use, with a sum of about 1.
template <class T>
Stencil<T> irregular_stencil(Index height, Index width) {
  std::vector<double> taps;
  for (Index k = 0; k < height * width; ++k)
    taps.push_back((1 + std::sin(1.7 * double(k * k + 1))) / double(height * width));
  const Mask mask = height == 1 ? Mask::line(taps) : Mask::grid(taps, height, width);
  return make_stencil<T>(mask, Method::direct, {1, 1}, {});
}

/// Data for timing a sweep: random inputs and memory for outputs, with the layout of a run's
/// fields, and reference outputs.
template <class T>
class Trial {
 public:
  Trial(cuda::CudaExecutor& executor, const Stencil<T>& stencil, const Point& outputs)
      : executor_(executor),
        source_(executor, {make_box(outputs), halo_of(stencil)}),
        target_(executor, {make_box(outputs), {}}),
        kept_(executor, target_.subdomain()),
        taps_(cuda::uploaded(executor, stencil.taps)) {
    cuda::fill_random(source_.ghosted(), 1);
  }

  FieldView<const T> source() const { return source_.ghosted(); }
  FieldView<T> target() { return target_.owned(); }
  cuda::DeviceTaps<T> taps() const { return {reinterpret_cast<const T*>(taps_.get())}; }

  /// Returns the median seconds of a sweep that `order` enqueues on a stream. The target is set to
  /// NaN first.
  double seconds_of(const std::function<void(CUstream_st*)>& order) {
    const T missing = std::numeric_limits<T>::quiet_NaN();
    executor_.fill(rectangle_of(target_.owned()), &missing, sizeof(T));
    executor_.synchronize();
    cuda::median_seconds(order, warm_ups);
    return cuda::median_seconds(order, repeats);
  }
  /// Returns the bytes read and written per second by a device-to-device copy of the outputs' size.
  double copy_bytes_per_second() {
    const auto bytes = static_cast<std::size_t>(points(target().extent)) * sizeof(T);
    const auto seconds = [&](const T* from, T* to) {
      const auto order = [=](CUstream_st* stream) { cuda::copy_bytes(from, to, bytes, stream); };
      cuda::median_seconds(order, warm_ups);
      return cuda::median_seconds(order, repeats);
    };
    // Some pairs of addresses conflict in memory, so two pairs are tried.
    return 2.0 * double(bytes) /
           std::min(seconds(source_.ghosted().data, target().data),
                    seconds(target().data, kept_.owned().data));
  }

  /// Stores the target as reference outputs.
  void keep_target() {
    executor_.copy(rectangle_of(target_.owned()), rectangle_of(kept_.owned()), sizeof(T));
    executor_.synchronize();
  }
  /// Returns whether the target equals the reference bit by bit.
  bool target_as_kept() const {
    return cuda::count_differing<T>(target_.owned(), kept_.owned()) == 0;
  }

 private:
  static Halo halo_of(const Stencil<T>& stencil) {
    const Index y = stencil.height / 2, x = stencil.width / 2;
    return {{0, y, x}, {0, stencil.height - 1 - y, stencil.width - 1 - x}};
  }

  cuda::CudaExecutor& executor_;
  Field<T> source_, target_, kept_;
  Memory taps_;
};

/// The values of the table that do not depend on the kernel.
struct Subject {
  Index height, width;
  Point outputs;
  double copy_bytes_per_second;
};

void print_row(const std::string& name, const std::string& reuse, double seconds,
               const Subject& subject, std::size_t element) {
  const double n = double(points(subject.outputs));
  const double share = 2.0 * double(element) * n / subject.copy_bytes_per_second / seconds;
  fmt::print("  {:<16}{:>18}{:>10.3f}{:>12.1f}{:>10.2f}\n", name, reuse, seconds * 1e3,
             n / seconds / 1e9, share);
  std::fflush(stdout);
}

/// Returns whether the strategy can be used for a mask of this height.
bool taught_for(Strategy strategy, Index height) {
  return strategy != Strategy::tiled_two_step || height == 1;
}

template <class T>
void time_rung(Strategy strategy, const Stencil<T>& stencil, Trial<T>& trial,
               const Subject& subject) {
  const double seconds = trial.seconds_of([&](CUstream_st* stream) {
    cuda::launch_strategy<T>(strategy, stencil, trial.taps(), trial.source(), trial.target(),
                             stream);
  });
  const auto work =
      cuda::ladder::count_work(strategy, subject.height, subject.width, subject.outputs);
  const double formula = cuda::ladder::reuse_by_formula(strategy, subject.height, subject.width);
  print_row(to_string(strategy), fmt::format("{:.2f}{:>9.2f}", formula, work.reuse()), seconds,
            subject, sizeof(T));
  if (strategy == Strategy::global) trial.keep_target();
  if (!trial.target_as_kept())
    throw Error(Status::bug, fmt::format("{} and global give different bits for a mask of {}x{}",
                                         to_string(strategy), subject.height, subject.width));
}

/// Prints the last row of the table: the kernel that stencil_run selects for the same mask.
template <class T>
void time_production(const Stencil<T>& stencil, Trial<T>& trial, const Subject& subject) {
  const double seconds = trial.seconds_of([&](CUstream_st* stream) {
    cuda::launch_production<T>(stencil, trial.taps(), trial.source(), trial.target(), stream);
  });
  print_row("auto", "", seconds, subject, sizeof(T));
  if (!trial.target_as_kept())
    throw Error(Status::bug, fmt::format("auto and global give different bits for a mask of {}x{}",
                                         subject.height, subject.width));
}

template <class T>
void compare(cuda::CudaExecutor& executor, Index height, Index width, const Point& outputs) {
  const Stencil<T> stencil = irregular_stencil<T>(height, width);
  Trial<T> trial(executor, stencil, outputs);
  const Subject subject{height, width, outputs, trial.copy_bytes_per_second()};
  fmt::print("\nmask {}x{}, {} points, float{}; copy {:.2f} TB/s\n", height, width,
             to_string(outputs), 8 * sizeof(T), subject.copy_bytes_per_second / 1e12);
  fmt::print("  {:<16}{:>9}{:>9}{:>10}{:>12}{:>10}\n", "strategy", "formula", "reuse", "ms",
             "Gpoint/s", "of copy");
  for (const Strategy strategy : cuda::strategies)
    if (taught_for(strategy, height)) time_rung(strategy, stencil, trial, subject);
  time_production(stencil, trial, subject);
}

template <class T>
void compare_all(cuda::CudaExecutor& executor, int exponent) {
  const Point line{1, 1, Index{1} << exponent};
  const Point grid{1, Index{1} << exponent / 2, Index{1} << (exponent - exponent / 2)};
  for (const Index width : {5, 17, 65}) compare<T>(executor, 1, width, line);
  for (const Index side : {3, 5, 9}) compare<T>(executor, side, side, grid);
}

/// Returns the exponent of the number of points. @throws WordsError  invalid arguments
int exponent_of(const std::vector<std::string>& words) {
  if (words.empty()) return 28;
  for (int exponent = 20; exponent <= 30; ++exponent)
    if (words.size() == 1 && words[0] == std::to_string(exponent)) return exponent;
  throw WordsError(
      fmt::format("strategies takes one number from 20 to 30, the power of 2 of the "
                  "points of a sweep, and got '{}'",
                  fmt::join(words, " ")));
}

}  // namespace

int compare_strategies(const std::vector<std::string>& words) {
  const int exponent = exponent_of(words);
  const auto facts = gpu_facts();
  if (facts.empty()) throw MachineError("strategies needs a GPU and this machine shows none");
  fmt::print("{}\n", facts[0]);
  cuda::CudaExecutor executor(0);
  compare_all<float>(executor, exponent);
  compare_all<double>(executor, exponent);
  return static_cast<int>(Status::done);
}

}  // namespace stencil::bench
