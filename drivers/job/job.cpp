#include "drivers/job/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <cstdlib>
#include <exception>
#include <set>
#include <sstream>
#include <typeinfo>
#include <vector>

#include "drivers/job/prepare/job_inputs.hpp"
#include "drivers/job/prepare/plan_stretch.hpp"
#include "drivers/job/prepare/require_sound.hpp"
#include "drivers/job/prepare/run_files.hpp"
#include "drivers/job/prepare/stretches.hpp"
#include "drivers/job/report/job_context.hpp"
#include "drivers/job/run/run_stretch.hpp"
#include "drivers/job/watch/window_stop.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/predict/choose_backend.hpp"
#include "framework/device/device_facts.hpp"
#include "framework/device/make_executor.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/node.hpp"
#include "io/hdf5/quiet_errors.hpp"

namespace stencil {
namespace {

/// The destructor restores the number of OpenMP threads of this thread, which a Session changes.
class SameThreads {
 public:
  SameThreads() : before_(omp_get_max_threads()) {}
  ~SameThreads() { omp_set_num_threads(before_); }
  SameThreads(const SameThreads&) = delete;
  SameThreads& operator=(const SameThreads&) = delete;

 private:
  const int before_;
};

/// Throws the error with the type that belongs to its status. Errors that Communicator::agree()
/// throws have the base type Error.
[[noreturn]] void throw_typed(const Error& error) {
  switch (error.status()) {
    case Status::words:
      std::throw_with_nested(WordsError(error.what()));
    case Status::storage:
      std::throw_with_nested(StorageError(error.what()));
    case Status::machine:
      std::throw_with_nested(MachineError(error.what(), error.lacks_memory()));
    case Status::stopped:
      std::throw_with_nested(StoppedError(error.what()));
    default:
      std::throw_with_nested(Error(error.status(), error.what()));
  }
}

constexpr std::size_t most_words = 4096;  // characters of a line that ranks compare

/// Returns the settings, besides those that rank 0 broadcasts, that must be the same on every rank.
std::vector<std::string> facts_of(const Config& config) {
  const Config::Run& run = config.run;
  std::vector<std::string> facts{
      "output.file=" + one_line(config.output.file, most_words),
      "run.checkpoint=" + one_line(run.checkpoint, most_words),
      fmt::format("run.decomposition={}", fmt::join(run.decomposition, "x")),
      fmt::format("run.memory={}", run.memory),
      fmt::format("check={}", config.check),
      "report=" + one_line(config.report, most_words),
      "trace=" + one_line(config.trace, most_words)};
  std::istringstream lines(config.canonical);
  for (std::string line; std::getline(lines, line);) facts.push_back(one_line(line, most_words));
  return facts;
}

void note_fewer_threads(Listener& listener, int threads) {
  const char* asked = std::getenv("OMP_NUM_THREADS");
  if (asked != nullptr && std::strtol(asked, nullptr, 10) > threads)
    listener.note(
        fmt::format("OMP_NUM_THREADS = {} is more than four for each processor: {} "
                    "threads compute",
                    shortened(asked), threads));
}

void tell_lack_of_gpu(const Session& session, const Config& config, Listener& listener) {
  if (session.backend() != Backend::cpu || config.run.backend != Backend::automatic) return;
  if (const std::string trouble = session.rank() == 0 ? gpu_trouble() : ""; !trouble.empty())
    listener.message(fmt::format("computing without a GPU: {}", trouble));
}

/// Returns whether every rank has a GPU. Collective.
bool have_gpus(const Communicator& communicator) {
  Backend backend = Backend::cpu;
  communicator.agree([&] { backend = resolve_backend(Backend::automatic); });
  return communicator.maximum(Index{backend == Backend::cpu}) == 0;
}

/// Returns the sum of rough_seconds() over all stretches.
double rough_seconds_of(const JobInputs& inputs, int ranks, Backend backend, Index threads) {
  double seconds = 0;
  for (std::size_t i = 0; i < inputs.stretches.size(); ++i)
    seconds += rough_seconds(
        problem_of_stretch(config_of_stretch(inputs.config, i), inputs, i, ranks, backend),
        threads);
  return seconds;
}

/// Returns the backend of the configuration. For run.backend = auto on ranks with GPUs, returns the
/// backend for which the shorter run is predicted. A run with a checkpoint uses the GPUs unless
/// they do not support a stage, so that a continued run uses the same methods on any number of
/// ranks. Collective.
Backend backend_of(const Communicator& communicator, const JobInputs& inputs, Listener& listener) {
  const Config& config = inputs.config;
  if (config.run.backend != Backend::automatic || !have_gpus(communicator))
    return config.run.backend;
  const Index threads = communicator.sum(Index{share_of_node(communicator).threads});
  const int ranks = communicator.size();
  BackendChoice choice{Backend::automatic, ""};
  communicator.agree([&] {
    double on_cpus = 0;
    try {
      on_cpus = rough_seconds_of(inputs, ranks, Backend::cpu, threads);
    } catch (const Error&) {
      return;  // the GPUs are used; errors are reported when the plan is made
    }
    try {
      const double on_gpus = rough_seconds_of(inputs, ranks, Backend::cuda, threads);
      if (config.run.checkpoint.empty()) choice = choose_backend(on_cpus, on_gpus, threads);
    } catch (const Error& error) {
      if (!config.run.checkpoint.empty() && error.status() != Status::words) return;
      choice = {Backend::cpu, fmt::format("run.backend = auto computes on CPUs: {}", error.what())};
    }
  });
  if (!choice.reason.empty()) listener.message(choice.reason);
  return choice.backend;
}

/// Runs the planned stretches one after the other.
void run_stretches(Session& session, const std::vector<PlannedStretch>& planned,
                   const JobContext& context, CheckpointFiles* checkpoints) {
  std::set<std::string> notes;  // notes that the listener has received
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const Plan& plan = planned[i].plan;
    context.listener.begin_stretch(i, planned.size());
    if (planned.size() > 1)
      context.listener.message(
          fmt::format("stretch {} of {}: {}", i + 1, planned.size(), name_of(plan.input)));
    for (const std::string& note : plan.notes)
      if (notes.insert(note).second) context.listener.note(note);
    const Index asked = context.stop ? context.stop->take() : 0;
    const auto reason = static_cast<int>(session.communicator().maximum(asked));
    if (reason != 0) stop_run(session.communicator(), by_whom(reason), "the run had not begun");
    run_stretch(session, planned[i], context, checkpoints);
  }
}

}  // namespace

Job::Job(Config config, const JobOptions& options) : Job(std::move(config), "", options) {}

Job::Job(Config config, const std::string& file, const JobOptions& options)
    : inputs_(std::make_unique<JobInputs>()), options_(options) {
  require_sound(config);
  inputs_->config = std::move(config);
  inputs_->config_file = file;
}

Job::~Job() = default;

const Config& Job::config() const {
  return inputs_->config;
}

void Job::look_at_input() {
  const storage::QuietErrors quiet;
  gather(*inputs_);
  has_looked_ = true;
}

void Job::run(MPI_Comm communicator, Listener& listener) {
  const SameThreads threads;
  const storage::QuietErrors quiet;
  try {
    run_shared(communicator, listener);
  } catch (const Error& error) {
    has_looked_ = false;
    // an error of any other type was thrown by this rank alone
    if (typeid(error) != typeid(Error)) throw;
    throw_typed(error);
  }
  has_looked_ = false;
  stop_.take();  // discards a request to stop that came too late for this run
}

void Job::run(MPI_Comm communicator) {
  run(communicator, nobody());
}

void Job::run_shared(MPI_Comm parent, Listener& listener) {
  const Config& config = inputs_->config;
  const Communicator communicator(parent);
  RankListener heard(listener, communicator.rank());
  const JobContext context{.listener = heard,
                           .stop = &stop_,
                           .begun = options_.begun.value_or(std::chrono::steady_clock::now()),
                           .stops_unsaved = options_.stops_unsaved};
  communicator.agree(facts_of(config), [&] {
    if (communicator.rank() == 0 && !has_looked_) look_at_input();
  });
  share(communicator, *inputs_);
  communicator.agree([&] {
    if (communicator.rank() == 0) check_files(*inputs_);
  });
  const Backend backend = backend_of(communicator, *inputs_, heard);
  Session session(communicator.handle(), {.backend = backend, .transport = config.run.transport});
  tell_lack_of_gpu(session, config, heard);
  std::optional<CheckpointFiles> checkpoints;
  std::vector<PlannedStretch> planned;
  for (std::size_t i = 0; i < inputs_->stretches.size(); ++i)
    planned.push_back(plan_stretch(session, *inputs_, i, heard, checkpoints));
  if (config.check) return;
  note_fewer_threads(heard, session.node().threads);
  run_stretches(session, planned, context, checkpoints ? &*checkpoints : nullptr);
}

}  // namespace stencil
