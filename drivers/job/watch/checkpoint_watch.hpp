#pragma once

#include "drivers/job/report/job_context.hpp"
#include "drivers/job/watch/step_lines.hpp"
#include "drivers/job/watch/step_watch.hpp"
#include "drivers/job/watch/time_left.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/plan.hpp"
#include "io/write/output/output_file.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// Saves the state of a run at intervals. If the run is asked to stop, or its time is over, saves
/// the state and throws an error of status 75. Checks this about twice a second, at the end of a
/// sweep.
template <class T>
class CheckpointWatch : public StepWatch<T> {
 public:
  /// @param plan     the plan of the steps of the pipeline, with a checkpoint; must outlive the
  ///                 watch, as must the other arguments
  /// @param input    of all ranks
  /// @param context  the context of the job
  /// @param output   of snapshots, which an earlier watch takes: each checkpoint names the existing
  ///                 ones, and the unfinished output then stays; null: there is none
  /// @param lines    that are written about the steps, on rank 0; null: there are none
  CheckpointWatch(Session& session, const Plan& plan, CheckpointFiles& files,
                  const InputCounts& input, const JobContext& context = {},
                  OutputFile* output = nullptr, const StepLines* lines = nullptr);

  Index next_look(Index done) const override;
  bool look(State<T>& state) override;

  /// Checkpoints that were written, and the seconds that they took on this rank.
  Index written() const { return written_; }
  double seconds() const { return seconds_; }

  /// To be called after the last step: nothing remains to be saved. @throws Error  of status 75, on
  /// every rank alike: a request to stop came after the last check
  void finish();

 private:
  /// In rising order: the highest action that any rank requests is done.
  enum class Action : Index { go_on, save, stop_in_time, stop_as_asked };
  struct Asked {
    Action action = Action::go_on;
    int reason = 0;  ///< see StopToken
  };
  bool is_due(Index done, double now) const;
  Asked ask_all(Index done, double now);
  void plan_next_look(Index done, double now);
  std::optional<SnapshotsSaved> save_snapshots();
  void save(State<T>& state);
  void save_or_note(State<T>& state);
  [[noreturn]] void stop(const Asked& why);

  Session& session_;
  const Plan& plan_;
  CheckpointFiles& files_;
  const InputCounts input_;
  const JobContext context_;
  OutputFile* const output_;  ///< of snapshots
  const StepLines* const lines_;
  StopPhase phase_;
  const TimeLeft time_left_;
  bool has_tried_ = false;  ///< to write one, since the program started
  Former former_;           ///< what happens to the checkpoint that exists
  Index next_look_ = 1;     ///< steps done
  Index looked_at_ = 0;     ///< steps done at the last check
  double looked_when_;      ///< seconds of MPI_Wtime, on this rank
  Index saved_steps_ = 0;   ///< steps done at the last checkpoint
  double saved_when_;
  double look_seconds_ = 0;  ///< from one check to the next
  double save_seconds_;      ///< of a checkpoint
  bool has_noted_slow_ = false;
  bool waits_for_output_ = false;  ///< what fails now is not a fault of the checkpoint
  Index written_ = 0;
  double seconds_ = 0;
};

extern template class CheckpointWatch<float>;
extern template class CheckpointWatch<double>;

}  // namespace stencil
