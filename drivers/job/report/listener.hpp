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
  std::string text;  ///< as --check prints it; empty unless Config::check is set
  std::string json;  ///< in one line, see docs/plan_json.md
};

/// How long a run in windows spent at each station, in seconds of the slowest rank: reading,
/// computing, writing, reading back.
struct StationTimes {
  static constexpr std::array<const char*, 4> names{"read", "compute", "write", "verify"};
  std::array<double, 4> busy{};     ///< at least one window was there
  std::array<double, 4> waiting{};  ///< none was
};

/// The steps of all stages, as they begin.
struct StepsAhead {
  Index done = 0;        ///< by an earlier run, whose checkpoint is taken
  Index total = 0;       ///< those of this run and of the earlier run
  double time_step = 1;  ///< what a step stands for, in `unit`
  std::string unit;      ///< empty: steps are counted
};

/// The results of the run of one stretch of the input.
struct RunEnd {
  std::string output, dataset;  ///< file and dataset that were written
  std::vector<Index> shape;     ///< of the dataset
  Index steps = 0;              ///< of all stages that were done
  double seconds = 0;           ///< of the slowest rank
  std::string report;           ///< as --report writes it, JSON
  std::string lines;            ///< what stencil_run prints at the end; each line ends with '\n'
};

/// Receives what a Job reports. A function that is not overridden does nothing.
///
/// The first group is called on rank 0 of the job's communicator alone, one call at a time: by the
/// thread that called Job::run(), except advance(), which threads that compute windows call, too.
/// The second group, which is for programs that answer signals, is called on every rank. All of
/// them may call Job::stop(). None may throw, except planned(), whose error every rank throws, and
/// none may call MPI, because the other ranks are elsewhere.
class Listener {
 public:
  virtual ~Listener() = default;

  /// The plan of a stretch is made, and no work has begun.
  virtual void planned(const PlanReport& plan);
  /// What the job does: one line without a line break.
  virtual void message(const std::string& text);
  /// A property of the data, the plan or the machine that the user may not expect: one line.
  virtual void note(const std::string& text);
  /// Something was left undone that the user has to do: one line.
  virtual void warning(const std::string& text);
  /// The work of a stretch begins. Reading, computing and writing are all counted in points.
  virtual void begin(Index points);
  /// @param name   `read`, `compute`, `write`
  /// @param bytes  that the phase reads or writes; 0: not known
  virtual void phase(const std::string& name, Index bytes);
  /// This number of further points is done. In windows each window of rank 0 is counted once for
  /// every rank, so the sum can differ a little from the points that begin() gives.
  virtual void advance(Index points);
  virtual void begin_steps(const StepsAhead& steps);
  /// One more step is done. @param done  steps of all stages
  virtual void step(Index done);
  /// The points were checked. @param change  the largest change of a point in the last step, if
  /// known
  virtual void changed(std::optional<double> change);
  /// All windows are done.
  virtual void stations(const StationTimes& times);
  /// The output has its name.
  virtual void finish();
  /// After finish(), with all measurements; the report is not written yet.
  virtual void end(const RunEnd& end);

  /// The run of stretch `index` of `count` begins.
  virtual void begin_stretch(std::size_t index, std::size_t count);
  /// From now on the job answers a request of this token: it saves what is done and stops.
  virtual void can_stop(StopToken& token);
  virtual void cannot_stop();
  /// The output is about to get its name, and what an earlier run saved is about to be removed.
  virtual void before_commit();
  /// The output has its name.
  virtual void after_commit();
  /// A file beside the output is being written, on storage that may have stopped answering.
  virtual void begin_side_work();
  virtual void end_side_work();
};

}  // namespace stencil
