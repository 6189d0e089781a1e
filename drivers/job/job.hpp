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
  /// The time from which run.time_limit is counted; if absent, the time of the call of run().
  std::optional<std::chrono::steady_clock::time_point> begun{};
  /// Whether stop() also stops a job without run.checkpoint; such a job saves nothing when it
  /// stops. The ranks exchange a message about twice a second to check whether stop() was called.
  bool stops_unsaved = true;
};

/// A job does the work of stencil_run for one configuration: it reads an input, applies stencils,
/// and writes the output. One process may have several jobs and run each of them several times, but
/// only one job runs at a time.
///
/// A job prints nothing, ends no process, and changes neither signals, environment variables nor
/// the number of threads of its caller, with two exceptions while the job runs: it disables the
/// messages that HDF5 prints for failed calls, and it catches SIGSEGV, SIGBUS, SIGFPE, SIGILL and
/// SIGABRT during calls in which a damaged file could crash HDF5. As with every Session, if one
/// rank fails alone while others wait for its messages, all ranks of MPI_COMM_WORLD are ended.
class Job {
 public:
  /// @param config  must be the same on every rank. parse_config() makes a configuration from text,
  ///                or a program sets its members. `canonical` need not be set.
  /// @throws WordsError  a value is invalid, see require_sound()
  explicit Job(Config config, const JobOptions& options = {});
  /// Like the constructor above. @param file  the file from which the configuration was read; no
  /// output may replace it
  Job(Config config, const std::string& file, const JobOptions& options = {});
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  const Config& config() const;

  /// Reads the properties of the input for the next run(). Without this call, rank 0 reads them in
  /// run(). Call this function before MPI starts, if possible: a child process without MPI then
  /// reads the input, so that a damaged file cannot crash this process. Not collective: to be
  /// called on rank 0.
  /// @throws WordsError, StorageError  the input does not exist or cannot be read
  void look_at_input();

  /// Runs the job; if Config::check is set, only plans it. Returns after the output has its final
  /// name and the report is written. Collective.
  ///
  /// An error that all ranks throw has one of the types below and also derives from
  /// std::nested_exception. An error of any other type was thrown by this rank alone.
  ///
  /// @param communicator  the ranks that run the job; the job duplicates this communicator. MPI
  ///                      must be initialized with MPI_THREAD_FUNNELED or higher, and this thread
  ///                      must be the main thread.
  /// @param listener      receives the events of the job
  /// @throws WordsError    the configuration does not fit the input, or differs between ranks
  /// @throws StorageError  a file cannot be read or written
  /// @throws MachineError  a GPU failed, or memory is insufficient
  /// @throws StoppedError  see stop()
  /// @throws Error         a bug
  void run(MPI_Comm communicator, Listener& listener);
  /// Runs the job without a listener.
  void run(MPI_Comm communicator = MPI_COMM_WORLD);

  /// Requests that the current run stop, or the next run if none is in progress. The run writes a
  /// checkpoint, within about half a second or at the end of the current sweep or window, and
  /// throws StoppedError. A run whose computations are complete finishes its output instead. May be
  /// called on any rank, by any thread, by the listener and by signal handlers.
  void stop() noexcept { stop_.ask(); }

 private:
  void run_shared(MPI_Comm communicator, Listener& listener);

  std::unique_ptr<JobInputs> inputs_;
  const JobOptions options_;
  StopToken stop_;
  bool has_looked_ = false;
};

}  // namespace stencil
