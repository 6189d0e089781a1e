#include "drivers/job/run_passes.hpp"

#include <array>
#include <optional>

#include "drivers/job/run_windows.hpp"
#include "io/read/inspect.hpp"
#include "io/write/scratch_file.hpp"

namespace stencil {
namespace {

/// The scratch file that a pass writes and the next one reads: two take turns.
struct Turn {
  std::optional<OutputFile> output;
  std::optional<ScratchFile> file;

  void reserve(const Communicator& communicator, const Plan& pass, int number,
               const std::string& beside) {
    file.reset();  // frees the space that the next one takes
    OutputSpec spec = pass.output;
    spec.file = scratch_name(beside, number);
    file.emplace(communicator, spec.file);
    output.emplace(communicator, spec);
  }
};

/// Adds what a pass took, and its stages to those of the whole chain.
void add(const Plan& pass, const RunSummary& taken, RunSummary& summary) {
  summary.missing_in += taken.missing_in;
  summary.seconds_read += taken.seconds_read;
  summary.seconds_compute += taken.seconds_compute;
  summary.seconds_write += taken.seconds_write;
  for (std::size_t i = 0; i < stations; ++i) {
    summary.stations_busy[i] += taken.stations_busy[i];
    summary.stations_waiting[i] += taken.stations_waiting[i];
  }
  for (std::size_t i = 0; i < taken.stage_seconds.size(); ++i)
    summary.stage_seconds[pass.first_stage + i] += taken.stage_seconds[i];
}

}  // namespace

template <class T>
void run_passes(Session& session, const Plan& plan, OutputFile& output, Progress& progress,
                RunSummary& summary) {
  const Communicator& communicator = session.communicator();
  const std::size_t count = plan.passes.size();
  summary.stage_seconds.assign(plan.chain.stages.size(), 0);
  std::array<Turn, 2> turns;
  const auto reserve = [&](std::size_t pass) {
    if (pass + 1 < count)
      turns[pass % 2].reserve(communicator, plan.passes[pass], static_cast<int>(pass % 2),
                              plan.output.file);
  };
  reserve(0);
  reserve(1);
  for (std::size_t n = 0; n < count; ++n) {
    Plan pass = plan.passes[n];
    Turn &from = turns[(n + 1) % 2], &to = turns[n % 2];
    if (n > 0)
      communicator.agree(
          [&] { pass.input = storage::inspect(from.file->name(), pass.input.dataset); });
    RunSummary taken;
    run_windows<T>(session, pass, n + 1 < count ? *to.output : output, progress, taken);
    if (n + 1 < count) to.output->commit();
    add(pass, taken, summary);
    // its file is free for the pass after the next
    communicator.barrier();
    if (n > 0) reserve(n + 1);
  }
}

template void run_passes<float>(Session&, const Plan&, OutputFile&, Progress&, RunSummary&);
template void run_passes<double>(Session&, const Plan&, OutputFile&, Progress&, RunSummary&);

}  // namespace stencil
