#include "drivers/plan/predict/choose_backend.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "kernels/method/way_work.hpp"

namespace stencil {
namespace {

// Measured on an H200 and 16 cores of its host, 2026-11-27, with files in memory. Other machines
// differ by factors of two or three, mostly by similar factors for both backends.
constexpr double start_of_gpu = 0.5;                 // seconds: context, transfer memory, kernels
constexpr double reading = 7e9;                      // bytes per second
constexpr double writing = 3.5e9;                    // bytes per second, including reading back
constexpr double transfers = 25e9;                   // bytes per second between host and GPU
constexpr double adds_of_thread = 27e9;              // multiply-adds per second, float32
constexpr double adds_of_gpu[2] = {32e12, 16.5e12};  // float32, float64
constexpr double copies_of_thread = 6e9;             // bytes per second of sweeps through memory
constexpr double copies_of_gpu = 4e12;

/// Returns the multiply-adds that take as long as the sums of one mask over the whole world, for
/// all steps.
double adds_of(const MethodChoice& choice, Index element) {
  return choice.work.outputs > 0 ? cost_in_taps(choice.work, element) * choice.work.outputs : 0;
}

/// Returns the multiply-adds that take as long as all sums of a stage: those of its mask, of all
/// masks of a bank, or of its channels.
double adds_of(const BoundStage& stage, Index element) {
  const double plain =
      stage.adds_per_point() * double(points(stage.output.shape())) * double(stage.steps);
  if (stage.channels) return plain;
  double adds = stage.bank.empty() ? adds_of(stage.choice, element) : 0;
  for (const MethodChoice& choice : stage.bank) adds += adds_of(choice, element);
  return adds > 0 ? adds : plain;
}

double computing_seconds(const Problem& problem, Index threads) {
  const bool on_gpu = problem.chain.backend == Backend::cuda;
  const Index element = problem.compute_bytes();
  const double adds = on_gpu ? adds_of_gpu[element == 8] * problem.ranks
                             : adds_of_thread * 4 / double(element) * double(threads);
  const double copies = on_gpu ? copies_of_gpu * problem.ranks : copies_of_thread * double(threads);
  double seconds = 0;
  for (const BoundStage& stage : problem.chain.stages) {
    const double moved =
        double(points(stage.input.shape()) + points(stage.output.shape())) * double(element);
    seconds += std::max(adds_of(stage, element) / adds, double(stage.sweeps()) * moved / copies);
  }
  return seconds;
}

/// Returns whether any stage is computed by transforms of tiles.
bool has_tiles(const Problem& problem) {
  return std::ranges::any_of(problem.chain.stages, [](const BoundStage& stage) {
    return stage.choice.method == Method::fft && !stage.choice.tiles.empty();
  });
}

}  // namespace

double rough_seconds(const Problem& problem, Index threads) {
  const double moved = double(problem.bytes_read) + double(problem.bytes_written);
  const double read = double(problem.bytes_read) / reading,
               written = double(problem.bytes_written) / writing;
  const double computing = computing_seconds(problem, threads);
  const bool on_gpu = problem.chain.backend == Backend::cuda;
  const double carrying = on_gpu ? moved / transfers : 0;
  // With one sweep per stage, windows are read, computed and written at the same time. On CPUs,
  // windows of transforms are so large that there are only a few of them.
  const bool in_windows = problem.chain.steps() == std::ssize(problem.chain.stages) &&
                          !problem.watching.needs_world() && (on_gpu || !has_tiles(problem));
  if (in_windows) return std::max({read + computing, carrying, written});
  return read + carrying + computing + written;
}

BackendChoice choose_backend(double on_cpus, double on_gpus, Index threads) {
  const double with_start = on_gpus + start_of_gpu;
  const bool uses_gpu = with_start < on_cpus;
  return {uses_gpu ? Backend::cuda : Backend::cpu,
          fmt::format("run.backend = auto computes on {}: predicted are {:.2g} s on CPUs with {} "
                      "threads, and {:.2g} s on GPUs, of which {:.1f} s are their start",
                      uses_gpu ? "GPUs" : "CPUs", on_cpus, threads, with_start, start_of_gpu)};
}

}  // namespace stencil
