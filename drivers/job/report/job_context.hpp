#pragma once

#include <chrono>

#include "drivers/job/report/listener.hpp"
#include "framework/parallel/stop_token.hpp"

namespace stencil {

/// Returns a listener that ignores all events.
Listener& nobody();

/// Settings that the caller of a job makes.
struct JobContext {
  Listener& listener = nobody();
  StopToken* stop = nullptr;  ///< if null, the job receives no requests to stop
  /// The time from which run.time_limit is counted.
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
  /// Whether a job without a checkpoint, which saves nothing, also checks for requests to stop.
  bool stops_unsaved = false;
};

/// The listener of one rank of a job. This listener forwards to another listener the events that
/// the rank has to report: all events on rank 0, and otherwise only those of the second group of
/// Listener.
class RankListener : public Listener {
 public:
  /// @param to  must outlive this object
  RankListener(Listener& to, int rank) : to_(to), first_(rank == 0 ? to : nobody()) {}

  void planned(const PlanReport& plan) override { first_.planned(plan); }
  void message(const std::string& text) override { first_.message(text); }
  void note(const std::string& text) override { first_.note(text); }
  void warning(const std::string& text) override { first_.warning(text); }
  void begin(Index points) override { first_.begin(points); }
  void phase(const std::string& name, Index bytes) override { first_.phase(name, bytes); }
  void advance(Index points) override { first_.advance(points); }
  void begin_steps(const StepsAhead& steps) override { first_.begin_steps(steps); }
  void step(Index done) override { first_.step(done); }
  void changed(std::optional<double> change) override { first_.changed(change); }
  void stations(const StationTimes& times) override { first_.stations(times); }
  void finish() override { first_.finish(); }
  void end(const RunEnd& end) override { first_.end(end); }

  void begin_stretch(std::size_t index, std::size_t count) override {
    to_.begin_stretch(index, count);
  }
  void can_stop(StopToken& token) override { to_.can_stop(token); }
  void cannot_stop() override { to_.cannot_stop(); }
  void before_commit() override { to_.before_commit(); }
  void after_commit() override { to_.after_commit(); }
  void begin_side_work() override { to_.begin_side_work(); }
  void end_side_work() override { to_.end_side_work(); }

 private:
  Listener& to_;
  Listener& first_;  ///< `to` on rank 0; elsewhere a listener that ignores all events
};

/// While an object of this class exists, the job responds to requests to stop.
class StopPhase {
 public:
  /// @param context  must outlive this object
  explicit StopPhase(const JobContext& context) : context_(context) {
    if (context_.stop) context_.listener.can_stop(*context_.stop);
  }
  ~StopPhase() {
    if (context_.stop) context_.listener.cannot_stop();
  }
  StopPhase(const StopPhase&) = delete;
  StopPhase& operator=(const StopPhase&) = delete;

  /// Returns the reason of a stop request on this rank, see StopToken::take(); 0 without a request.
  int take() { return context_.stop ? context_.stop->take() : 0; }

 private:
  const JobContext& context_;
};

/// While an object of this class exists, the job is writing a file next to its output.
class SideWriting {
 public:
  explicit SideWriting(Listener& listener) : listener_(listener) { listener_.begin_side_work(); }
  ~SideWriting() { listener_.end_side_work(); }
  SideWriting(const SideWriting&) = delete;
  SideWriting& operator=(const SideWriting&) = delete;

 private:
  Listener& listener_;
};

/// Returns text such as `by SIGUSR1`, or `by a call of Job::stop()`, for messages.
std::string by_whom(int reason);

}  // namespace stencil
