#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "drivers/job/report/job_context.hpp"
#include "drivers/job/watch/time_left.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Stops a run in windows when it is asked to, or when its time is over. Ranks in windows do not
/// synchronize: a rank that is asked sends the others a message, for which they check between their
/// windows.
class WindowStop {
 public:
  /// @param communicator, context  must outlive it
  /// @param limit                  run.time_limit
  WindowStop(const Communicator& communicator, const std::optional<TimeLimit>& limit,
             const JobContext& context);

  /// Checks whether this rank was asked to stop, informs the other ranks, and checks whether they
  /// have informed this one. To be called between windows by the thread that may call MPI.
  void look();
  /// Whether no further window may begin. May be called by any thread.
  bool is_asked() const { return is_asked_; }

  /// Sets a description of the saved state, for the message; the output is then not kept. Empty:
  /// the output is kept.
  /// @param is_new  since the program started
  void set_saved(const std::string& saved, bool is_new) {
    saved_ = saved;
    has_new_ = is_new;
  }
  bool has_new() const { return has_new_; }
  const std::string& saved() const { return saved_; }

  /// To be called at the end of the windows: receives messages that are still being sent.
  /// Collective.
  /// @returns why the run stops, on every rank: `by SIGUSR1`; empty if it continues
  std::string finish();
  /// After finish(): whether the run stops because of its time limit.
  bool was_in_time() const { return was_in_time_; }

 private:
  void ask(int why);

  const Communicator& communicator_;
  StopPhase phase_;
  const TimeLeft time_left_;
  double looked_when_;
  int why_ = 0;  ///< a reason of StopToken; `in_time`
  std::atomic<bool> is_asked_{false};
  std::string saved_;
  bool has_new_ = false, was_in_time_ = false;
  bool has_told_ = false;
  std::vector<bool> has_heard_;  ///< of which rank
  std::vector<MPI_Request> told_;
};

/// Throws, on all ranks, an error of status 2: another run with the same time limit could not make
/// any progress. @param why  `before its time limit of 2 s`
[[noreturn]] void stop_in_vain(const Communicator& communicator, const std::string& why);

/// Throws, on all ranks, the error of status 75 that stops a run without a checkpoint.
/// @param why   `by SIGUSR1`
[[noreturn]] void stop_unsaved(const Communicator& communicator, const std::string& why);

/// Throws, on all ranks, the error of status 75 that stops a run.
/// @param why   `by SIGUSR1`
/// @param what  what is saved
[[noreturn]] void stop_run(const Communicator& communicator, const std::string& why,
                           const std::string& what);

}  // namespace stencil
