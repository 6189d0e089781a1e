#pragma once

#include <mpi.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "drivers/config/config.hpp"
#include "drivers/job/report/listener.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/stop_token.hpp"

namespace stencil {

struct JobInputs;

/// A job was stopped, by its caller or by run.time_limit (exit status 75). If the configuration has
/// run.checkpoint, running the same job again continues from the saved state.
struct StoppedError : Error {
  explicit StoppedError(const std::string& message) : Error(Status::stopped, message) {}
};

struct JobOptions {
  /// The time from which run.time_limit is counted; std::nullopt: the time of the call of run().
  std::optional<std::chrono::steady_clock::time_point> begun{};
  /// Whether stop() also stops a job without run.checkpoint; such a job then saves nothing. The
  /// ranks exchange a message about twice a second to check whether stop() was called.
  bool stops_unsaved = true;
};

/// A job does what stencil_run does with a configuration: it reads an input, applies stencils, and
/// writes the output. One process may have several jobs and run each of them several times, one at
/// a time.
///
/// A job prints nothing, ends no process, and leaves signals, environment variables and the number
/// of threads of its caller as they are. While it runs it switches off the messages that HDF5
/// prints for failed calls, and it catches SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT while a
/// damaged file could crash HDF5. As with every Session, one rank that fails alone while others
/// wait for its messages ends all ranks of MPI_COMM_WORLD.
class Job {
 public:
  /// @param config  the same on every rank: parse_config() makes one of text, or a program fills in
  ///                the members. `canonical` need not be set.
  /// @throws WordsError  a value that no configuration file could have: see require_sound()
  explicit Job(Config config, const JobOptions& options = {});
  /// Like the constructor above. @param file  the file that contains the configuration; no output
  /// may replace it
  Job(Config config, const std::string& file, const JobOptions& options = {});
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const Config& config() const;

  /// Reads the properties of the input for the next run(), which otherwise does so itself on rank
  /// 0. A process that calls this before it starts MPI probes damaged files in a child process that
  /// has no MPI. Not collective: to be called on rank 0.
  /// @throws WordsError, StorageError  the input does not exist or cannot be read
  void look_at_input();

  /// Runs the job; with Config::check only plans it. Returns when the output has its name and the
  /// report is written. Collective.
  ///
  /// An error that every rank throws has one of the types below and derives from
  /// std::nested_exception, too. An error of another kind was thrown by this rank alone.
  ///
  /// @param communicator  whose ranks work together. A duplicate is used. MPI must run with
  ///                      MPI_THREAD_FUNNELED at least, and this thread must be its main thread.
  /// @param listener      receives the events of the job, see Listener
  /// @throws WordsError    the configuration does not fit the input, or differs between ranks
  /// @throws StorageError  files and storage
  /// @throws MachineError  GPU or memory
  /// @throws StoppedError  see stop()
  /// @throws Error         a bug
  void run(MPI_Comm communicator, Listener& listener);
  /// Runs the job without a listener.
  void run(MPI_Comm communicator = MPI_COMM_WORLD);

  /// Asks the run to stop, or the next run if no run is in progress: the run writes a checkpoint,
  /// within about half a second or at the end of the sweep or window that is being computed, and
  /// throws StoppedError. A run that has computed everything already completes its output instead.
  /// May be called on any rank, by any thread, by the listener and by signal handlers.
  void stop() noexcept { stop_.ask(); }

 private:
  void run_shared(MPI_Comm communicator, Listener& listener);

  std::unique_ptr<JobInputs> inputs_;
  const JobOptions options_;
  StopToken stop_;
  bool has_looked_ = false;
};

}  // namespace stencil
