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

/// Saves the state of a run at intervals. On a request to stop, or when the time limit is reached,
/// saves the state and throws an error of status 75. Checks for requests about twice a second, at
/// the end of a sweep.
template <class T>
class CheckpointWatch : public StepWatch<T> {
 public:
  /// @param plan     the plan of the pipeline's steps, with a checkpoint; all arguments must
  ///                 outlive the watch
  /// @param input    counts of special input points, summed over all ranks
  /// @param context  the context of the job
  /// @param output   the output with snapshots, which the SnapshotWatch of the run writes. Each
  ///                 checkpoint lists the existing snapshots, and the unfinished output is kept.
  ///                 Null for a run without snapshots
  /// @param lines    the step lines, on rank 0; if null, no step lines are written
  CheckpointWatch(Session& session, const Plan& plan, CheckpointFiles& files,
                  const InputCounts& input, const JobContext& context = {},
                  OutputFile* output = nullptr, const StepLines* lines = nullptr);

  Index next_look(Index done) const override;
  bool look(State<T>& state) override;

  /// Number of checkpoints that were written, and the time in seconds that they took on this rank.
  Index written() const { return written_; }
  double seconds() const { return seconds_; }

  /// To be called after the last step. @throws Error  of status 75, on all ranks: a stop was
  /// requested after the last check
  void finish();

 private:
  /// An action after a check, in ascending priority. All ranks take the action of the highest
  /// priority that any rank requests.
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
  OutputFile* const output_;  ///< output with snapshots; null if there is none
  const StepLines* const lines_;
  StopPhase phase_;
  const TimeLeft time_left_;
  /// Whether writing a checkpoint has been tried since the program started.
  bool has_tried_ = false;
  Former former_;          ///< treatment of the existing checkpoint
  Index next_look_ = 1;    ///< steps done
  Index looked_at_ = 0;    ///< steps done at the last check
  double looked_when_;     ///< time of the last check (MPI_Wtime) on this rank
  Index saved_steps_ = 0;  ///< steps done at the last checkpoint
  double saved_when_;
  double look_seconds_ = 0;  ///< time between the last two checks
  double save_seconds_;      ///< time that a checkpoint takes
  bool has_noted_slow_ = false;
  bool waits_for_output_ = false;  ///< whether an error now concerns the output
  Index written_ = 0;
  double seconds_ = 0;
};

extern template class CheckpointWatch<float>;
extern template class CheckpointWatch<double>;

}  // namespace stencil
