#include "drivers/plan/predict/choose_backend.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "kernels/method/way_work.hpp"

namespace stencil {
namespace {

// Measured on an H200 beside 16 cores of its host, 2026-11-27, files in memory. Other machines
// differ by factors of two or three, most of them alike for both backends.
constexpr double start_of_gpu = 0.5;     // seconds: context, memory for transfers, kernels
constexpr double reading = 7e9;          // bytes a second
constexpr double writing = 3.5e9;        // the same, with what was written read back
constexpr double transfers = 25e9;       // between host and GPU
constexpr double adds_of_thread = 27e9;  // multiply-adds a second, float32
constexpr double adds_of_gpu[2] = {32e12, 16.5e12};  // float32, float64
constexpr double copies_of_thread = 6e9;             // bytes a second of sweeps through memory
constexpr double copies_of_gpu = 4e12;

/// Multiply-adds that take as long as the sums of one mask over the whole world, all steps.
double adds_of(const MethodChoice& choice, Index element) {
  return choice.work.outputs > 0 ? cost_in_taps(choice.work, element) * choice.work.outputs : 0;
}

/// The same of a stage: of its mask, of all masks of a bank, or of its channels.
double adds_of(const BoundStage& stage, Index element) {
  const double plain =
      stage.adds_per_point() * double(points(stage.output.shape())) * double(stage.steps);
  if (stage.channels) return plain;
  double adds = adds_of(stage.choice, element);
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

/// Whether some stage is summed by transforms of tiles.
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
  const double start = on_gpu ? start_of_gpu : 0, carrying = on_gpu ? moved / transfers : 0;
  // one sweep a stage: in windows, which are read, computed and written at the same time; those of
  // transforms on CPUs are so thick that few of them follow one another
  const bool in_windows = problem.chain.steps() == std::ssize(problem.chain.stages) &&
                          !problem.watching.needs_world() && (on_gpu || !has_tiles(problem));
  if (in_windows) return start + std::max({read + computing, carrying, written});
  return start + read + carrying + computing + written;
}

BackendChoice choose_backend(const Problem& on_cpu, const Problem& on_gpu, Index threads) {
  const double cpu = rough_seconds(on_cpu, threads), gpu = rough_seconds(on_gpu, threads);
  const bool takes_gpu = gpu < cpu;
  return {takes_gpu ? Backend::cuda : Backend::cpu,
          fmt::format("run.backend = auto computes on {}: about {:.2g} s from file to file on {} "
                      "threads of CPUs, {:.2g} s with a GPU, which needs {:.1f} s to start",
                      takes_gpu ? "GPUs" : "CPUs", cpu, threads, gpu, start_of_gpu)};
}

}  // namespace stencil
