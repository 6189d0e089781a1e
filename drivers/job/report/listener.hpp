#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"
#include "framework/parallel/stop_token.hpp"

namespace stencil {

/// The plan for one stretch of the input. Times are measured and predicted only if Config::check is
/// set.
struct PlanReport {
  std::string text;  ///< text of --check; empty unless Config::check is set
  std::string json;  ///< one line, see docs/plan_json.md
};

/// Seconds that a run in windows spent at each station (reading, computing, writing, reading back),
/// on the slowest rank.
struct StationTimes {
  static constexpr std::array<const char*, 4> names{"read", "compute", "write", "verify"};
  std::array<double, 4> busy{};     ///< time in which at least one window was at the station
  std::array<double, 4> waiting{};  ///< time in which no window was at the station
};

/// Properties of the steps of all stages, which are known when the first step begins.
struct StepsAhead {
  Index done = 0;        ///< steps of an earlier run, if this run continues from its checkpoint
  Index total = 0;       ///< steps of this run and of the earlier run
  double time_step = 1;  ///< time between two steps, in `unit`
  std::string unit;      ///< if empty, times are numbers of steps
};

/// The results of the run of one stretch of the input.
struct RunEnd {
  std::string output, dataset;  ///< the file and the dataset that were written
  std::vector<Index> shape;     ///< shape of the dataset
  Index steps = 0;              ///< steps that were done, summed over all stages
  double seconds = 0;           ///< run time of the slowest rank
  std::string report;           ///< JSON text of --report
  std::string lines;  ///< text that stencil_run prints at the end; each line ends with '\n'
};

/// Receives the events of a Job. The default implementation of each function does nothing.
///
/// The functions of the first group are called only on rank 0 of the job's communicator, one call
/// at a time, by the thread that called Job::run(); advance() is also called by the threads that
/// compute windows. The functions of the second group, which are for programs that handle signals,
/// are called on every rank. All functions may call Job::stop(). No function may throw, except
/// planned(); Job::run() then throws this error on every rank. No function may call MPI, because
/// the other ranks make no matching call.
class Listener {
 public:
  virtual ~Listener() = default;

  /// The plan of a stretch is complete, and no work has begun.
  virtual void planned(const PlanReport& plan);
  /// A message of one line about the current work.
  virtual void message(const std::string& text);
  /// A message of one line about a property of the data, the plan or the machine that may surprise
  /// the user.
  virtual void note(const std::string& text);
  /// A message of one line about a task that the job could not do and that the user has to do.
  virtual void warning(const std::string& text);
  /// The work of a stretch begins. Reading, computing and writing a point each add one point to the
  /// progress.
  virtual void begin(Index points);
  /// @param name   `read`, `compute`, `write`
  /// @param bytes  bytes that the phase reads or writes; 0 if unknown
  virtual void phase(const std::string& name, Index bytes);
  /// `points` more points are done. For runs in windows, the points of rank 0's windows are
  /// multiplied by the number of ranks, so the sum can differ a little from the points passed to
  /// begin().
  virtual void advance(Index points);
  virtual void begin_steps(const StepsAhead& steps);
  /// One more step is done. @param done  steps that were done, summed over all stages
  virtual void step(Index done);
  /// The points were checked. @param change  the largest change of a point in the last step, if
  /// known
  virtual void changed(std::optional<double> change);
  /// All windows are done; called only for runs in windows.
  virtual void stations(const StationTimes& times);
  /// The output has its final name.
  virtual void finish();
  /// Called after finish() with all measurements, before the report is written.
  virtual void end(const RunEnd& end);

  /// The run of stretch `index` of `count` begins.
  virtual void begin_stretch(std::size_t index, std::size_t count);
  /// From now on the job responds to stop requests of this token by saving its state and stopping.
  virtual void can_stop(StopToken& token);
  virtual void cannot_stop();
  /// The output is about to get its final name, and the saved state of earlier runs is about to be
  /// removed.
  virtual void before_commit();
  /// The output has its final name.
  virtual void after_commit();
  /// The job begins to write a file next to the output, on storage that may have stopped
  /// responding.
  virtual void begin_side_work();
  virtual void end_side_work();
};

}  // namespace stencil
