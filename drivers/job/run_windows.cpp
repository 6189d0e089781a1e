#include "drivers/job/run_windows.hpp"

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "drivers/job/window_work.hpp"
#include "framework/parallel/crash_guard.hpp"

namespace stencil {
namespace {

/// The part of `count` indices that a rank computes: whole units, but for the last one.
Interval share_in_units(Index count, Index unit, int rank, int ranks) {
  const Interval units = share_of((count - 1) / unit + 1, rank, ranks);
  return {std::min(count, units.first * unit), std::min(count, units.last * unit)};
}

/// What the threads of a rank share.
template <class T>
struct Shared {
  const Plan& plan;
  const Interval share;  ///< of the outputs
  const int ranks;
  WindowInput<T>& input;
  Progress& progress;
  StationClock clock{};
  std::atomic<Index> next{0};  ///< window
  std::atomic<bool> has_failed{false};
  std::exception_ptr failure{};
  std::mutex mutex{};  ///< of `progress` and `failure`

  /// The n-th window; empty behind the last one.
  Interval window(Index n) const {
    const Index first = share.first + n * plan.windows->outputs;
    return intersect(share, {first, first + plan.windows->outputs});
  }
  Box box(const Interval& outputs) const {
    Box box = make_box(plan.output_form.shape());
    box.set(plan.windows->axis, outputs);
    return box;
  }
  void advance(const Interval& outputs) {
    const Point& shape = plan.output_form.shape();
    const std::lock_guard lock(mutex);
    progress.advance(outputs.extent() * (points(shape) / shape[plan.windows->axis]) * ranks);
  }
  void fail() {
    const std::lock_guard lock(mutex);
    if (!has_failed.exchange(true)) failure = std::current_exception();
  }
};

/// Lets this thread run on all processors of the rank: where OpenMP binds threads to places, a new
/// one would stay in the place of the thread that starts it.
void leave_place() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> numbers(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, numbers.data());
    for (const int number : numbers)
      if (number < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(number), &processors);
  }
  if (CPU_COUNT(&processors) > 0) ::sched_setaffinity(0, sizeof processors, &processors);
}

/// Takes one window after the other through all stations, beside others that do the same.
template <class T>
class Worker {
 public:
  Worker(const Executor& executor, OutputFile& output, Shared<T>& shared)
      : shared_(shared),
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
    omp_set_num_threads(shared_.plan.windows->threads);  // of this thread alone
    try {
      before();
      work_.enter_thread();
      while (!shared_.has_failed) {
        const Interval outputs = shared_.window(shared_.next++);
        if (outputs.empty()) return;
        const FieldView<const T> points = work_.compute(outputs);
        shared_.clock.time(Station::write,
                           [&] { stream_.template write<T>(shared_.box(outputs), points); });
        shared_.clock.time(Station::verify, [&] { stream_.verify(); });
        shared_.advance(outputs);
      }
    } catch (...) {
      shared_.fail();
    }
  }

  Shared<T>& shared_;
  WindowWork<T> work_;
  OutputFile::Stream stream_;
};

/// Runs the workers, the first one in this thread, each in its own. Fewer where the system has no
/// threads to give.
template <class T>
void run_all(std::vector<std::unique_ptr<Worker<T>>>& workers) {
  std::vector<std::thread> threads;
  threads.reserve(workers.size());
  try {
    for (std::size_t i = 1; i < workers.size(); ++i)
      threads.emplace_back([&worker = *workers[i]] { worker.work_in_own_thread(); });
  } catch (const std::exception&) {
    // the others take its windows
  }
  const int before = omp_get_max_threads();
  workers.front()->work();
  omp_set_num_threads(before);
  for (std::thread& thread : threads) thread.join();
}

/// Several windows at a time, without messages.
template <class T>
void run_side_by_side(Session& session, OutputFile& output, Shared<T>& shared,
                      std::vector<double>& stage_seconds) {
  std::vector<std::unique_ptr<Worker<T>>> workers;
  session.communicator().agree([&] {
    for (int i = 0; i < shared.plan.windows->at_a_time; ++i)
      workers.push_back(std::make_unique<Worker<T>>(session.executor(), output, shared));
  });
  // ranks know nothing of each other until the commit: one that fails ends the job
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

/// One window after the other on all ranks, where blocks of the file reach into several of them.
template <class T>
void run_in_turn(Session& session, OutputFile& output, Shared<T>& shared,
                 std::vector<double>& stage_seconds) {
  const Communicator& communicator = session.communicator();
  std::optional<WindowWork<T>> work;
  communicator.agree(
      [&] { work.emplace(session.executor(), shared.plan, shared.input, shared.clock); });
  // all ranks make the same number of writes, some of them empty
  const Index outputs_each = shared.plan.windows->outputs;
  const Index calls =
      communicator.maximum((shared.share.extent() + outputs_each - 1) / outputs_each);
  for (Index call = 0; call < calls; ++call) {
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

}  // namespace

template <class T>
void run_windows(Session& session, const Plan& plan, OutputFile& output, Progress& progress,
                 RunSummary& summary) {
  const Communicator& communicator = session.communicator();
  const Windows& windows = *plan.windows;
  // one for all threads: that of a read ends with it, while others may still be reading
  const CrashGuard guard(reading_crash(plan.input));
  std::optional<WindowInput<T>> input;
  communicator.agree([&] { input.emplace(plan, session.rank(), session.size()); });
  const Index count = plan.output_form.shape()[windows.axis];
  progress.phase("read, compute and write windows",
                 checked_add(plan.bytes_read, plan.bytes_written));
  const Index unit = std::max(windows.unit, windows.group);
  Shared<T> shared{plan, share_in_units(count, unit, session.rank(), session.size()),
                   session.size(), *input, progress};
  std::vector<double> stage_seconds(plan.chain.stages.size());
  if (windows.unit > 0)
    run_side_by_side(session, output, shared, stage_seconds);
  else
    run_in_turn(session, output, shared, stage_seconds);
  communicator.agree([&] { input->count_the_rest(windows.outputs); });
  summary.missing_in = input->missing();
  for (std::size_t i = 0; i < stations; ++i) {
    summary.stations_busy[i] = shared.clock.busy(Station{i});
    summary.stations_waiting[i] = shared.clock.waiting(Station{i});
  }
  summary.seconds_read = shared.clock.busy(Station::read);
  summary.seconds_compute = shared.clock.busy(Station::compute);
  summary.seconds_write = shared.clock.busy(Station::write);
  // threads that compute at the same time: as shares of the seconds in which one of them did
  const double all = std::accumulate(stage_seconds.begin(), stage_seconds.end(), 0.0);
  for (double& seconds : stage_seconds) seconds *= all > 0 ? summary.seconds_compute / all : 0;
  summary.stage_seconds = stage_seconds;
}

template void run_windows<float>(Session&, const Plan&, OutputFile&, Progress&, RunSummary&);
template void run_windows<double>(Session&, const Plan&, OutputFile&, Progress&, RunSummary&);

}  // namespace stencil
