#include "drivers/job/run/run_windows.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "drivers/job/resume/resume_windows.hpp"
#include "drivers/job/run/window_work.hpp"
#include "drivers/job/watch/window_progress.hpp"
#include "drivers/plan/make/checkpoint_plan.hpp"
#include "framework/grid/interval_set.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/crash_guard.hpp"
#include "framework/parallel/leave_place.hpp"
#include "io/write/blocks/block_checksums.hpp"

namespace stencil {
namespace {

/// Data that the threads of a rank share.
template <class T>
struct Shared {
  const Plan& plan;
  const std::vector<Interval> windows;  ///< windows of this rank
  const int ranks;
  WindowInput<T>& input;
  Listener& listener;
  WindowStop* stop = nullptr;
  StationClock clock{};
  std::atomic<Index> next{0};  ///< index of the next window
  std::atomic<bool> has_failed{false};
  std::exception_ptr failure{};
  std::vector<DoneWindow> done{};
  std::mutex mutex{};  ///< protects `listener`, `failure` and `done`

  /// Returns the n-th window, or an empty interval after the last window.
  Interval window(Index n) const {
    return n < std::ssize(windows) ? windows[static_cast<std::size_t>(n)] : Interval{};
  }
  bool goes_on() const { return !has_failed && !(stop && stop->is_asked()); }
  Box box(const Interval& outputs) const {
    Box box = make_box(plan.chain.output_shape());
    box.set(plan.windows()->axis, outputs);
    return box;
  }
  void advance(const Interval& outputs) {
    const Point& shape = plan.chain.output_shape();
    const std::lock_guard lock(mutex);
    listener.advance(outputs.extent() * (points(shape) / shape[plan.windows()->axis]) * ranks);
  }
  void finish(const Interval& outputs, const storage::WriteCounts& counts) {
    const std::lock_guard lock(mutex);
    if (stop) done.push_back({outputs, counts});
  }
  void fail() {
    const std::lock_guard lock(mutex);
    if (!has_failed.exchange(true)) failure = std::current_exception();
  }
};

/// Reads, computes and writes one window after the other, while other workers do the same.
template <class T>
class Worker {
 public:
  /// @param may_look  whether the worker runs in the thread that calls MPI
  Worker(const Executor& executor, OutputFile& output, Shared<T>& shared, bool may_look)
      : shared_(shared),
        may_look_(may_look),
        work_(executor, shared.plan, shared.input, shared.clock),
        stream_(output.stream()) {}

  void work() {
    work([] {});
  }
  void work_in_own_thread() { work(leave_place); }

  const std::vector<double>& stage_seconds() const { return work_.stage_seconds(); }
  OutputFile::Stream& stream() { return stream_; }

 private:
  template <class Before>
  void work(const Before& before) {
    omp_set_num_threads(shared_.plan.windows()->threads);  // affects this thread only
    try {
      before();
      work_.enter_thread();
      for (;;) {
        if (may_look_ && shared_.stop) shared_.stop->look();
        if (!shared_.goes_on()) return;
        const Interval outputs = shared_.window(shared_.next++);
        if (outputs.empty()) return;
        const FieldView<const T> points = work_.compute(outputs);
        shared_.clock.time(Station::write,
                           [&] { stream_.template write<T>(shared_.box(outputs), points); });
        shared_.clock.time(Station::verify, [&] { stream_.verify(); });
        shared_.finish(outputs, stream_.counts() - counts_);
        counts_ = stream_.counts();
        shared_.advance(outputs);
      }
    } catch (...) {
      shared_.fail();
    }
  }

  Shared<T>& shared_;
  const bool may_look_;
  storage::WriteCounts counts_{};
  WindowWork<T> work_;
  OutputFile::Stream stream_;
};

/// Runs the first worker in this thread, and each other worker in a separate thread. Runs fewer
/// workers if the system cannot start enough threads.
template <class T>
void run_all(std::vector<std::unique_ptr<Worker<T>>>& workers) {
  std::vector<std::thread> threads;
  threads.reserve(workers.size());
  try {
    for (std::size_t i = 1; i < workers.size(); ++i)
      threads.emplace_back([&worker = *workers[i]] { worker.work_in_own_thread(); });
  } catch (const std::exception&) {
    // The other workers take the windows of this worker.
  }
  const int before = omp_get_max_threads();
  workers.front()->work();
  omp_set_num_threads(before);
  for (std::thread& thread : threads) thread.join();
}

/// Computes several windows at a time, without messages between ranks.
template <class T>
void run_side_by_side(Session& session, OutputFile& output, Shared<T>& shared,
                      std::vector<double>& stage_seconds) {
  std::vector<std::unique_ptr<Worker<T>>> workers;
  session.communicator().agree([&] {
    for (int i = 0; i < shared.plan.windows()->at_a_time; ++i)
      workers.push_back(std::make_unique<Worker<T>>(session.executor(), output, shared, i == 0));
  });
  // The ranks do not communicate until the commit, so a rank that fails has to end the job.
  session.communicator().or_abort([&] {
    run_all(workers);
    if (shared.failure) std::rethrow_exception(shared.failure);
  });
  for (const auto& worker : workers) {
    output.take(worker->stream());
    const std::vector<double>& seconds = worker->stage_seconds();
    for (std::size_t i = 0; i < seconds.size(); ++i) stage_seconds[i] += seconds[i];
  }
}

/// Computes one window at a time on each rank, with collective writes, for windows that share
/// blocks of the file.
template <class T>
void run_in_turn(Session& session, OutputFile& output, Shared<T>& shared,
                 std::vector<double>& stage_seconds) {
  const Communicator& communicator = session.communicator();
  std::optional<WindowWork<T>> work;
  communicator.agree(
      [&] { work.emplace(session.executor(), shared.plan, shared.input, shared.clock); });
  // All ranks must make the same number of collective writes; some writes are empty.
  const Index calls = communicator.maximum(std::ssize(shared.windows));
  for (Index call = 0; call < calls; ++call) {
    if (shared.stop) shared.stop->look();
    if (communicator.maximum(Index{!shared.goes_on()}) > 0) break;
    const Interval outputs = shared.window(call);
    FieldView<const T> points{};
    communicator.agree([&] {
      if (!outputs.empty()) points = work->compute(outputs);
    });
    shared.clock.time(Station::write, [&] {
      output.write<T>(outputs.empty() ? Box{} : shared.box(outputs), points);
    });
    shared.advance(outputs);
  }
  stage_seconds = work->stage_seconds();
}

/// Keeps the completed windows for the next run if possible, and throws the error that stops this
/// run. Collective.
template <class T>
[[noreturn]] void stop_windows(const Communicator& communicator, OutputFile& output,
                               const Shared<T>& shared, const std::string& why) {
  const Plan& plan = shared.plan;
  const Windows& windows = *plan.windows();
  const Index count = plan.chain.output_shape()[windows.axis];
  const bool was_in_time = shared.stop->was_in_time();
  if (const std::string& saved = shared.stop->saved(); !saved.empty()) {
    if (was_in_time && !shared.stop->has_new()) stop_in_vain(communicator, why);
    stop_run(communicator, why, saved);
  }
  if (!plan.checkpoint) stop_unsaved(communicator, why);
  if (was_in_time && (windows.unit == 0 || plan.output.gzip_level > 0))
    stop_in_vain(communicator, why);
  if (windows.unit == 0 || plan.output.gzip_level > 0)
    stop_run(communicator, why,
             windows.unit == 0 ? "nothing is saved, as blocks of the output reach into several "
                                 "windows"
                               : "nothing is saved, as the output is packed");
  const auto done = whole_units(shared.done, unit_of(windows), count);
  IntervalSet kept;
  std::vector<Index> mine;
  UnfinishedOutput sums;
  if (plan.unfinished())
    for (const Interval& part : plan.unfinished()->done) kept.add(part);
  for (const DoneWindow& window : done) {
    kept.add(window.outputs);
    mine.insert(mine.end(), {window.outputs.first, window.outputs.last});
    sums.counts += window.counts;
  }
  const auto is_kept = [&](Index block) {
    const Index at = first_output(plan, block);
    return kept.missing_in({at, at + 1}).empty();
  };
  UnfinishedOutput unfinished = output.set_aside(is_kept);
  const std::vector<Index> all = storage::gather_numbers(communicator, mine);
  unfinished.words = words_of_output(plan);
  unfinished.axis = windows.axis;
  if (plan.unfinished()) unfinished.done = plan.unfinished()->done;
  for (std::size_t i = 0; i < all.size(); i += 2) unfinished.done.push_back({all[i], all[i + 1]});
  unfinished.counts = {communicator.sum(sums.counts.saturated),
                       communicator.sum(sums.counts.missing),
                       communicator.sum(sums.counts.vanished)};
  if (plan.unfinished()) unfinished.counts += plan.unfinished()->counts;
  const std::string record = windows_record(*plan.checkpoint);
  communicator.agree([&] {
    if (communicator.rank() == 0) write_unfinished(record, unfinished);
  });
  if (was_in_time && all.empty()) stop_in_vain(communicator, why);
  const double share = 100 * double(communicator.maximum(unfinished.outputs())) / double(count);
  stop_run(communicator, why,
           fmt::format("{:.0f} % of the outputs are done and kept in {}.part, which {} describes",
                       std::floor(share), one_line(plan.output.file), one_line(record)));
}

}  // namespace

template <class T>
void run_windows(Session& session, const Plan& plan, OutputFile& output, Listener& listener,
                 RunSummary& summary, WindowStop* stop) {
  const Communicator& communicator = session.communicator();
  const Windows& windows = *plan.windows();
  // There is one guard for all threads, because the guard of a single read would end while other
  // threads still read.
  const CrashGuard guard(reading_crash(plan.input));
  std::optional<WindowInput<T>> input;
  communicator.agree([&] { input.emplace(plan, session.rank(), session.size()); });
  const Index count = plan.chain.output_shape()[windows.axis];
  listener.phase("read, compute and write windows",
                 checked_add(plan.bytes_read, plan.bytes_written));
  Shared<T> shared{plan,
                   windows_of(windows, count,
                              plan.unfinished() ? plan.unfinished()->done : std::vector<Interval>{},
                              session.rank(), session.size()),
                   session.size(),
                   *input,
                   listener,
                   stop};
  std::vector<double> stage_seconds(plan.chain.stages.size());
  if (windows.unit > 0)
    run_side_by_side(session, output, shared, stage_seconds);
  else
    run_in_turn(session, output, shared, stage_seconds);
  if (const std::string why = stop ? stop->finish() : ""; !why.empty())
    stop_windows(communicator, output, shared, why);
  communicator.agree([&] { input->count_the_rest(windows.outputs); });
  summary.missing_in = input->missing();
  if (uses_transforms(plan))
    if (std::string note = input->scale().note(communicator, plan); !note.empty())
      summary.notes.push_back(std::move(note));
  for (std::size_t i = 0; i < stations; ++i) {
    summary.stations_busy[i] = shared.clock.busy(Station{i});
    summary.stations_waiting[i] = shared.clock.waiting(Station{i});
  }
  summary.seconds_read = shared.clock.busy(Station::read);
  summary.seconds_compute = shared.clock.busy(Station::compute);
  summary.seconds_write = shared.clock.busy(Station::write);
  // The stages' seconds are sums over threads that compute simultaneously. They are scaled so that
  // their sum is the time in which at least one thread computed.
  const double all = std::accumulate(stage_seconds.begin(), stage_seconds.end(), 0.0);
  for (double& seconds : stage_seconds) seconds *= all > 0 ? summary.seconds_compute / all : 0;
  summary.stage_seconds = stage_seconds;
}

template void run_windows<float>(Session&, const Plan&, OutputFile&, Listener&, RunSummary&,
                                 WindowStop*);
template void run_windows<double>(Session&, const Plan&, OutputFile&, Listener&, RunSummary&,
                                  WindowStop*);

}  // namespace stencil
