#include "drivers/job/watch/checkpoint_watch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "drivers/job/transfer/write_output.hpp"
#include "drivers/job/watch/window_stop.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "drivers/plan/split/passes.hpp"
#include "drivers/plan/split/remaining.hpp"
#include "framework/device/named_range.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/output/unfinished_output.hpp"

namespace stencil {
namespace {

constexpr double slow_look = 10;    // seconds; a longer interval between checks is noted
constexpr double first_save = 0.2;  // fraction of the time limit before the first checkpoint
constexpr double slow_disk = 1e8;   // assumed bytes per second until a checkpoint has been measured

Index bytes_of(const Plan& plan) {
  return checked_multiply(points(plan.chain.input_shape()), plan.compute_bytes());
}

}  // namespace

template <class T>
CheckpointWatch<T>::CheckpointWatch(Session& session, const Plan& plan, CheckpointFiles& files,
                                    const InputCounts& input, const JobContext& context,
                                    OutputFile* output, const StepLines* lines)
    : session_(session),
      plan_(plan),
      files_(files),
      input_(input),
      context_(context),
      output_(output),
      lines_(lines),
      phase_(context_),
      time_left_(plan.checkpoint->time_limit, context.begun),
      former_(former_of(files.file(), plan.resumed() ? plan.resumed()->file : "")),
      looked_when_(MPI_Wtime()),
      saved_when_(looked_when_),
      save_seconds_(1 + double(bytes_of(plan)) / slow_disk) {
  if (!time_left_.note().empty()) context_.listener.note(time_left_.note());
}

template <class T>
Index CheckpointWatch<T>::next_look(Index done) const {
  const Index all = plan_.chain.steps();
  const Index next = sweep_end(plan_.chain, std::max(done + 1, next_look_));
  return next < all ? next : all + 1;  // there is nothing to save after the last step
}

template <class T>
bool CheckpointWatch<T>::is_due(Index done, double now) const {
  const CheckpointInterval& every = plan_.checkpoint->every;
  // An early first checkpoint measures the time of a checkpoint, well before the time limit.
  if (!has_tried_ && done > 0 && time_left_.is_over_by(first_save)) return true;
  return every.steps > 0 ? done - saved_steps_ >= every.steps : now - saved_when_ >= every.seconds;
}

/// Plans the next check with the clock of rank 0, so that all ranks plan the same check.
template <class T>
void CheckpointWatch<T>::plan_next_look(Index done, double now) {
  Index steps = steps_to_next_look(done - looked_at_, now - looked_when_);
  const CheckpointInterval& every = plan_.checkpoint->every;
  if (every.steps > 0) steps = std::min(steps, saved_steps_ + every.steps - done);
  next_look_ = done + session_.communicator().maximum(session_.rank() == 0 ? steps : Index{1});
  looked_at_ = done;
}

/// Returns the highest action that any rank requests. Collective.
template <class T>
auto CheckpointWatch<T>::ask_all(Index done, double now) -> Asked {
  const Communicator& communicator = session_.communicator();
  Action action = Action::go_on;
  if (communicator.rank() == 0) {  // only the clock of rank 0 is used
    if (is_due(done, now)) action = Action::save;
    const double saving =
        written_ > 0 ? 2 * save_seconds_ : std::min(2 * save_seconds_, 0.5 * time_left_.seconds());
    if (time_left_.is_over(2 * look_seconds_ + saving)) action = Action::stop_in_time;
  }
  const int own = phase_.take();
  if (own != 0) action = Action::stop_as_asked;
  // The action and the reason are combined in one number.
  constexpr Index reasons = 1000;
  const Index most = communicator.maximum(static_cast<Index>(action) * reasons + own);
  return {static_cast<Action>(most / reasons), static_cast<int>(most % reasons)};
}

template <class T>
bool CheckpointWatch<T>::look(State<T>& state) {
  const Index done = state.steps_done;
  const double now = MPI_Wtime();
  look_seconds_ = now - looked_when_;
  if (look_seconds_ > slow_look && !std::exchange(has_noted_slow_, true))
    context_.listener.note(
        fmt::format("a pass over the data takes {:.0f} s: a signal is answered, and a checkpoint "
                    "written, at its end",
                    look_seconds_));
  const Asked asked = ask_all(done, now);
  if (asked.action >= Action::stop_in_time) {
    if (done > saved_steps_) save(state);
    stop(asked);
  }
  if (asked.action == Action::save) save_or_note(state);
  plan_next_look(done, now);
  looked_when_ = MPI_Wtime();
  return true;
}

template <class T>
void CheckpointWatch<T>::finish() {
  const int own = phase_.take();
  const auto reason = static_cast<int>(session_.communicator().maximum(Index{own}));
  if (reason != 0) stop({Action::stop_as_asked, reason});
}

/// Throws, on all ranks, the error that stops the run.
template <class T>
void CheckpointWatch<T>::stop(const Asked& why) {
  const Index before = plan_.steps_before();
  const Index saved = before + saved_steps_;
  const std::string by = why.action == Action::stop_as_asked
                             ? by_whom(why.reason)
                             : fmt::format("before {}", time_left_.limit());
  if (why.action == Action::stop_in_time && saved_steps_ == 0)
    stop_in_vain(session_.communicator(), by);
  const std::string what =
      saved == 0 ? "no step was saved"
                 : fmt::format("{} of {} steps are done and saved in {}", saved,
                               before + plan_.chain.steps(), one_line(plan_.checkpoint->file));
  stop_run(session_.communicator(), by, what);
}

/// A checkpoint that cannot be written does not end the run, because the previous checkpoint still
/// exists.
template <class T>
void CheckpointWatch<T>::save_or_note(State<T>& state) {
  try {
    save(state);
  } catch (const Error& error) {  // thrown on all ranks
    if (error.status() != Status::storage || waits_for_output_) throw;
    files_.require_ownership();
    context_.listener.note(fmt::format("no checkpoint was written: {}", error.what()));
    saved_when_ = MPI_Wtime();  // so that the next attempt is made after a whole interval
  }
}

/// Waits until the snapshots are on the disk. The record of the snapshots gets its final name
/// before the checkpoint gets its name. For a short time, the record therefore lists more snapshots
/// than the existing checkpoints need. @returns the facts about the snapshots that the checkpoint
/// stores, on every rank
template <class T>
std::optional<SnapshotsSaved> CheckpointWatch<T>::save_snapshots() {
  if (!output_) return std::nullopt;
  waits_for_output_ = true;
  const UnfinishedOutput done = output_->settle_snapshots();
  waits_for_output_ = false;
  std::string saved;
  session_.communicator().agree([&] {
    if (session_.rank() != 0) return;
    saved = text_of({std::ssize(done.times), done.counts, checksum_of_snapshots(done)});
    write_unfinished(files_.snapshots_name(), done);
  });
  session_.communicator().broadcast(saved, 0);
  return snapshots_saved_from(saved);
}

template <class T>
void CheckpointWatch<T>::save(State<T>& state) {
  const Communicator& communicator = session_.communicator();
  const NamedRange range(session_.executor(), "checkpoint");
  has_tried_ = true;
  const double begun = MPI_Wtime();
  files_.require_ownership();
  const std::optional<SnapshotsSaved> saved = save_snapshots();
  std::optional<Problem> rest;
  OutputSpec spec;
  communicator.agree([&] {
    rest = pass_of(plan_, state.steps_done, plan_.chain.steps());
    const Index before = plan_.steps_before();
    std::optional<LinesSaved> lines;
    if (lines_) {
      const SideWriting brings_lines_to_disk(context_.listener);
      lines = lines_->saved();
    }
    spec =
        checkpoint_of(*rest, files_.next_name(),
                      {plan_.checkpoint->words, before + state.steps_done, input_, saved, lines});
  });
  OutputFile file(communicator, spec);
  write_output(communicator, input_boxes(*rest, session_.rank()), state.field, session_.executor(),
               file);
  file.commit([&] {
    if (output_) output_->keep_part();  // the checkpoint is useless without the unfinished output
  });
  files_.give_name(former_);
  former_ = Former::kept;
  saved_steps_ = state.steps_done;
  saved_when_ = MPI_Wtime();
  save_seconds_ = saved_when_ - begun;
  seconds_ += save_seconds_;
  ++written_;
}

template class CheckpointWatch<float>;
template class CheckpointWatch<double>;

}  // namespace stencil
