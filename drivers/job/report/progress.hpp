#pragma once

#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "drivers/config/kinds.hpp"
#include "framework/grid/shape.hpp"

namespace stencil {

/// Shows the progress of a run: as a bar that is redrawn on a terminal, or as a few lines in the
/// log of a batch job. Only rank 0 prints, but every rank may call the functions.
///
/// Reading, computing and writing a point each add one point to the progress. The order of calls is
/// begin(total), then for each phase phase(name) and advance(points), and finish() when the output
/// has its final name. If an error ends the run, finish() is not called, and nothing more is
/// printed.
///
/// Not thread-safe. Errors while printing do not stop a run.
class Progress {
 public:
  /// A monotonic clock in seconds, with an arbitrary origin.
  using Clock = std::function<double()>;

  /// @param rank    rank of this process
  /// @param stream  usually stderr, because stdout under mpirun looks like a terminal even when it
  ///                is redirected to a file
  /// @param clock   if empty, the system's steady clock
  Progress(ProgressStyle style, int rank, std::FILE* stream, Clock clock = {});
  /// Ends the line of an unfinished bar, so that an error message starts on a new line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Starts counting from 0 to `total`, in any unit. If `total` is 0 or less, the progress is
  /// complete at once.
  void begin(Index total);
  /// Sets the name of the current phase: `read`, `compute` or `write`. The name is printed as a
  /// line or in the bar.
  /// @param bytes  bytes that the phase reads or writes; if 0, the amount is not shown
  void phase(const std::string& name, Index bytes = 0);
  /// Adds `n` to the count, which is limited to the total. A bar is redrawn at most ten times a
  /// second. A line is printed at most once a second: at every further tenth of the total, or when
  /// 30 s have passed since the previous line.
  void advance(Index n);
  /// Starts to count steps. Every later line contains the number of steps.
  /// @param unit  the unit of the time that a step represents; if empty, the lines contain no such
  ///              time
  void begin_steps(Index done, Index total, double time_step, const std::string& unit);
  /// Counts one step.
  void step() { ++steps_; }
  /// Sets the largest change of a point in the last step; std::nullopt if unknown.
  void changed(std::optional<double> change) { change_ = change; }
  /// Prints the last line, which contains the percentage and the run time. A second call has no
  /// effect.
  void finish();

 private:
  void draw_bar(double now);
  void print_line(const std::string& text);
  std::string share(double now) const;
  int percent() const;
  std::string steps_words() const;

  ProgressStyle style_ = ProgressStyle::none;  ///< never automatic
  std::FILE* stream_ = nullptr;
  Clock clock_;
  std::string phase_;
  Index total_ = 0;
  Index done_ = 0;
  Index steps_ = 0, all_steps_ = 0;
  double time_step_ = 1;
  std::string unit_;
  std::optional<double> change_;
  bool running_ = false;
  bool bar_open_ = false;
  int printed_percent_ = 0;
  double began_ = 0;
  double printed_ = 0;
};

}  // namespace stencil
