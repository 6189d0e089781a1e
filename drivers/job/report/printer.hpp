#pragma once

#include <optional>

#include "drivers/config/config.hpp"
#include "drivers/job/report/listener.hpp"
#include "drivers/job/report/progress.hpp"

namespace stencil {

/// Prints the events of a job. The plan is printed on stdout if only the plan is requested;
/// everything else is printed on stderr. An error while printing on stderr does not end the job.
class Printer : public Listener {
 public:
  explicit Printer(const Config& config) : config_(config) {}

  /// @throws StorageError  writing to stdout failed
  void planned(const PlanReport& plan) override;
  void message(const std::string& text) override;
  void note(const std::string& text) override;
  void warning(const std::string& text) override;
  void begin(Index points) override;
  void phase(const std::string& name, Index bytes) override { progress_->phase(name, bytes); }
  void advance(Index points) override { progress_->advance(points); }
  void begin_steps(const StepsAhead& steps) override;
  void step(Index) override { progress_->step(); }
  void changed(std::optional<double> change) override;
  void finish() override { progress_->finish(); }
  void end(const RunEnd& end) override;

 private:
  bool prints() const { return config_.progress != ProgressStyle::none; }

  const Config& config_;
  std::optional<Progress> progress_;  ///< progress of the current stretch
};

}  // namespace stencil
