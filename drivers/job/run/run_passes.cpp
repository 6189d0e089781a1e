#include "drivers/job/run/run_passes.hpp"

#include <fmt/core.h>

#include <array>
#include <optional>

#include "drivers/job/run/run_windows.hpp"
#include "drivers/plan/split/passes.hpp"
#include "drivers/plan/split/remaining.hpp"
#include "framework/grid/one_line.hpp"
#include "io/read/inspect.hpp"
#include "io/write/blocks/file_seal.hpp"
#include "io/write/lock/scratch_file.hpp"

namespace stencil {
namespace {

/// A scratch file that one pass writes and the next pass reads. Two such files alternate.
struct Turn {
  std::optional<OutputFile> output;
  std::optional<ScratchFile> file;

  void reserve(const Communicator& communicator, const Pass& pass, int number,
               const std::string& beside) {
    file.reset();  // frees the disk space before the next file is created
    OutputSpec spec = pass.output;
    spec.file = scratch_name(beside, number);
    file.emplace(communicator, spec.file);
    output.emplace(communicator, spec);
  }
};

/// Adds the times and counts of a pass to the summary, and the times of its stages to those of the
/// chain.
void add(const Pass& pass, const RunSummary& taken, RunSummary& summary) {
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

/// The outputs of all passes except the last, in scratch files next to the output.
class Scratch {
 public:
  Scratch(const Communicator& communicator, const Plan& plan)
      : communicator_(communicator), plan_(plan) {
    reserve(0);
    reserve(1);
  }
  OutputFile& output(std::size_t pass) { return *turns_[pass % 2].output; }
  /// Returns the file that the pass reads and the previous pass has written.
  const std::string& input(std::size_t pass) const { return turns_[(pass + 1) % 2].file->name(); }
  /// To be called when all ranks have read the input of the pass.
  void finish(std::size_t pass) {
    if (pass > 0) reserve(pass + 1);
  }

 private:
  void reserve(std::size_t pass) {
    if (pass + 1 < plan_.passes()->size())
      turns_[pass % 2].reserve(communicator_, (*plan_.passes())[pass], static_cast<int>(pass % 2),
                               plan_.output.file);
  }

  const Communicator& communicator_;
  const Plan& plan_;
  std::array<Turn, 2> turns_;
};

/// Stores the outputs of all passes except the last in checkpoints. Each pass reads the checkpoint
/// that the previous pass has written.
class Saved {
 public:
  Saved(const Communicator& communicator, const Plan& plan, CheckpointFiles& files,
        WindowStop& stop)
      : communicator_(communicator),
        plan_(plan),
        files_(files),
        stop_(stop),
        former_(former_of(files.file(), plan.resumed() ? plan.resumed()->file : "")),
        steps_before_(plan.steps_before()),
        steps_done_(steps_before_) {
    tell();
  }
  OutputFile& begin(std::size_t pass) {
    const Index steps = steps_done_ + (*plan_.passes())[pass].chain.steps();
    const double start = MPI_Wtime();
    files_.require_ownership();
    const OutputSpec spec = checkpoint_of((*plan_.passes())[pass + 1], files_.next_name(),
                                          {.words = plan_.checkpoint->words, .steps_done = steps});
    output_.emplace(communicator_, spec);
    seconds_ += MPI_Wtime() - start;
    return *output_;
  }
  /// @param missing  number of missing points in the input, of all ranks
  void commit(std::size_t pass, Index missing) {
    const double start = MPI_Wtime();
    output_->set_at_commit(missing_points_at_commit(missing));
    output_->commit();
    output_.reset();
    files_.give_name(former_);
    former_ = Former::kept;
    steps_done_ += (*plan_.passes())[pass].chain.steps();
    tell();
    ++written_;
    seconds_ += MPI_Wtime() - start;
  }
  /// Return the number of checkpoints that were written, and the time in seconds that this rank
  /// needed to reserve and complete the checkpoints. The time of writing their windows is not
  /// included.
  Index written() const { return written_; }
  double seconds() const { return seconds_; }

 private:
  void tell() {
    stop_.set_saved(steps_done_ == 0 ? "no step was saved"
                                     : fmt::format("{} of {} steps are done and saved in {}",
                                                   steps_done_, steps_before_ + plan_.chain.steps(),
                                                   one_line(plan_.checkpoint->file)),
                    steps_done_ > steps_before_);
  }

  const Communicator& communicator_;
  const Plan& plan_;
  CheckpointFiles& files_;
  WindowStop& stop_;
  Former former_;
  const Index steps_before_;
  Index steps_done_;
  std::optional<OutputFile> output_{};
  Index written_ = 0;
  double seconds_ = 0;
};

}  // namespace

template <class T>
void run_passes(Session& session, const Plan& plan, OutputFile& output, Listener& listener,
                RunSummary& summary, CheckpointFiles* files, WindowStop* stop) {
  const Communicator& communicator = session.communicator();
  const std::size_t count = plan.passes()->size();
  summary.stage_seconds.assign(plan.chain.stages.size(), 0);
  std::optional<Scratch> scratch;
  std::optional<Saved> saved;
  if (files)
    saved.emplace(communicator, plan, *files, *stop);
  else
    scratch.emplace(communicator, plan);
  for (std::size_t n = 0; n < count; ++n) {
    const Pass& pass = (*plan.passes())[n];
    DatasetFacts from_file = pass.input;
    const bool is_last = n + 1 == count;
    if (n > 0)
      communicator.agree([&] {
        const std::string& from = saved ? files->file() : scratch->input(n);
        storage::checked_seal(from);
        from_file = storage::inspect(from, pass.input.dataset);
      });
    OutputFile& to = is_last ? output : saved ? saved->begin(n) : scratch->output(n);
    RunSummary taken;
    run_windows<T>(session, Plan(reading(pass, from_file), pass.windows, plan.start()), to,
                   listener, taken, stop);
    add(pass, taken, summary);
    if (n == 0) summary.notes = taken.notes;  // later passes read results of this program
    const Index before = plan.resumed() ? plan.resumed()->input.missing : 0;
    if (!is_last && saved) saved->commit(n, before + communicator.sum(summary.missing_in));
    if (!is_last && scratch) to.commit();
    // After the barrier, the next pass can replace the input file of this pass by its own output.
    communicator.barrier();
    if (scratch) scratch->finish(n);
  }
  if (!saved) return;
  summary.checkpoints = saved->written();
  summary.seconds_checkpoints = saved->seconds();
}

template void run_passes<float>(Session&, const Plan&, OutputFile&, Listener&, RunSummary&,
                                CheckpointFiles*, WindowStop*);
template void run_passes<double>(Session&, const Plan&, OutputFile&, Listener&, RunSummary&,
                                 CheckpointFiles*, WindowStop*);

}  // namespace stencil
