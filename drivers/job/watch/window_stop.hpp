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

/// Stops a run in windows on request, or when its time limit is reached. The ranks do not
/// synchronize between windows: a rank that receives a request sends the other ranks a message, and
/// every rank checks for such messages between its windows.
class WindowStop {
 public:
  /// @param communicator, context  must outlive this object
  /// @param limit                  run.time_limit
  WindowStop(const Communicator& communicator, const std::optional<TimeLimit>& limit,
             const JobContext& context);

  /// Checks for a request on this rank, sends it to the other ranks, and checks for messages of the
  /// other ranks. To be called between windows by the thread that may call MPI.
  void look();
  /// Returns whether no further window may begin. Thread-safe.
  bool is_asked() const { return is_asked_; }

  /// Sets the description of the saved state for the message about the stop. If the text is empty,
  /// the unfinished output itself is the saved state and is kept; otherwise the output is not kept.
  /// @param is_new  whether the state was saved since the program started
  void set_saved(const std::string& saved, bool is_new) {
    saved_ = saved;
    has_new_ = is_new;
  }
  bool has_new() const { return has_new_; }
  const std::string& saved() const { return saved_; }

  /// To be called after the last window: receives messages that are still in transit. Collective.
  /// @returns on every rank, the reason why the run stops, such as `by SIGUSR1`; empty if the run
  ///          continues
  std::string finish();
  /// To be called after finish(). Returns whether the run stops because of its time limit.
  bool was_in_time() const { return was_in_time_; }

 private:
  void ask(int why);

  const Communicator& communicator_;
  StopPhase phase_;
  const TimeLeft time_left_;
  double looked_when_;
  int why_ = 0;  ///< a reason of StopToken, or `in_time`
  std::atomic<bool> is_asked_{false};
  std::string saved_;
  bool has_new_ = false, was_in_time_ = false;
  bool has_told_ = false;
  std::vector<bool> has_heard_;  ///< for each rank, whether its message has arrived
  std::vector<MPI_Request> told_;
};

/// Throws, on all ranks, an error of status 2, which says that the run made no progress and that
/// another run with the same time limit would not make progress either. @param why `before its time
/// limit of 2 s`
[[noreturn]] void stop_in_vain(const Communicator& communicator, const std::string& why);

/// Throws, on all ranks, the error of status 75 that stops a run without a checkpoint.
/// @param why   `by SIGUSR1`
[[noreturn]] void stop_unsaved(const Communicator& communicator, const std::string& why);

/// Throws, on all ranks, the error of status 75 that stops a run.
/// @param why   `by SIGUSR1`
/// @param what  a description of the saved state
[[noreturn]] void stop_run(const Communicator& communicator, const std::string& why,
                           const std::string& what);

}  // namespace stencil
