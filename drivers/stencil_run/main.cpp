// stencil_run: reads a signal, a stack of signals or a grid, applies stencils, writes the result.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <vector>

#include "drivers/job/job_inputs.hpp"
#include "drivers/job/memory_fit.hpp"
#include "drivers/job/progress.hpp"
#include "drivers/job/report.hpp"
#include "drivers/job/report_file.hpp"
#include "drivers/job/resume.hpp"
#include "drivers/job/resume_windows.hpp"
#include "drivers/job/run.hpp"
#include "drivers/job/run_files.hpp"
#include "drivers/job/step_lines.hpp"
#include "drivers/job/stretches.hpp"
#include "drivers/pipeline/session.hpp"
#include "drivers/plan/describe.hpp"
#include "drivers/plan/device_costs.hpp"
#include "drivers/plan/memory_available.hpp"
#include "framework/device/device_facts.hpp"
#include "framework/device/executor.hpp"
#include "framework/grid/one_line.hpp"
#include "framework/parallel/device_share.hpp"
#include "framework/parallel/node.hpp"
#include "framework/parallel/run_guarded.hpp"
#include "framework/parallel/sound_start.hpp"
#include "framework/parallel/stop_request.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/storage_environment.hpp"
#include "io/write/output_file.hpp"
#include "kernels/cpu/convolve_cpu.hpp"

namespace {

using namespace stencil;

/// Limits of all ranks' threads, or of all their GPUs, measured simultaneously, as in the run;
/// nothing if a rank has no memory for the measurement.
std::optional<Limits> limits_of(const Session& session, const Plan& plan,
                                const DeviceShare& device) {
  const Communicator& communicator = session.communicator();
  const Executor& executor = session.executor();
  Limits limits;
  communicator.barrier();
  try {
    communicator.agree([&] {
      if (device.rank_on_device > 0) return;  // one rank reports for all that share a GPU
      limits = plan.chain.precision == Precision::float64 ? measure_limits<double>(executor)
                                                          : measure_limits<float>(executor);
    });
  } catch (const Error& error) {  // thrown on every rank alike
    if (!error.lacks_memory()) throw;
    return std::nullopt;
  }
  limits.copy_bytes_per_second = communicator.sum(limits.copy_bytes_per_second);
  limits.multiply_adds_per_second = communicator.sum(limits.multiply_adds_per_second);
  return limits;
}

Limits larger(const Limits& one, const Limits& other) {
  return {std::max(one.copy_bytes_per_second, other.copy_bytes_per_second),
          std::max(one.multiply_adds_per_second, other.multiply_adds_per_second)};
}

/// Limits on the cost of a prediction. It may use all memory of the rank, which the run does not
/// need yet.
SampleCost cost_of_samples(const Config& config, int ranks_on_node) {
  SampleCost cost;
  cost.bytes = std::min(cost.bytes, memory_available(config.run.memory, ranks_on_node));
  return cost;
}

/// One line on what this rank computes with.
std::string facts_of(const Executor& executor, const DeviceShare& device) {
  if (executor.is_host()) return cpu_walk_facts();
  const std::size_t ranks = device.ranks.size();
  return executor.facts() + (ranks > 1 ? fmt::format(", shared by {} ranks", ranks) : "");
}

/// Flushes at once, so that an error such as a full device is detected. A reader that has read
/// enough (`| head`) is no error.
void print_out(const std::string& text) {
  const bool is_written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!is_written && errno != EPIPE)
    throw StorageError(
        fmt::format("cannot write to stdout: {}: send it somewhere else", std::strerror(errno)));
}

/// --check: prints the plan on stdout, then makes all checks that could refuse the output.
void print_plan(const Session& session, const Plan& plan, const DeviceShare& device,
                const std::string& facts, const SampleCost& cost) {
  Measured measured;
  measured.limits = limits_of(session, plan, device);
  measured.prediction = predict(session, plan, cost);
  // once more: cores that others kept busy the first time would give a limit above the prediction
  if (const auto again = limits_of(session, plan, device); again && measured.limits)
    measured.limits = larger(*measured.limits, *again);
  measured.storage = predict_storage(session, plan, cost);
  if (!session.executor().is_host())
    measured.device_bytes = session.communicator().maximum(own_device_bytes(session, plan));
  session.communicator().agree([&] {
    if (session.rank() != 0) return;
    std::string text = describe(plan, facts, measured);
    for (const std::string& gpu : gpu_facts()) text += fmt::format("gpu     {}\n", gpu);
    print_out(text);
    check_output(plan.output);
  });
}

void note_fewer_threads(int threads) {
  const char* asked = std::getenv("OMP_NUM_THREADS");
  if (asked != nullptr && std::strtol(asked, nullptr, 10) > threads)
    tell_progress(
        fmt::format("note: OMP_NUM_THREADS = {} is more than four for each processor: {} "
                    "threads compute",
                    shortened(asked), threads));
}

SampleCost short_samples(SampleCost cost) {
  cost.seconds = 0.06;
  return cost;
}

/// The prediction before a run: only for long runs, and shorter than that of --check.
std::optional<Prediction> predict_run(const Session& session, const Plan& plan,
                                      const Config& config, SampleCost cost) {
  if (config.report.empty() && !is_worth_predicting(plan)) return std::nullopt;
  return predict(session, plan, short_samples(cost));
}

/// The device on which this rank computes, and the ranks that share it. Collective.
DeviceShare share_of_device(const Session& session) {
  std::string device_id;
  session.communicator().agree([&] { device_id = session.executor().device_id(); });
  return share_of_device(session.communicator(), device_id);
}

/// A run of one stretch of the input: all of it, but for input.gaps = split.
struct Job {
  Config config;
  Plan plan{};
  DeviceShare device;
  std::string device_facts{};
  SampleCost cost{};
  std::unique_ptr<ReportFile> report{};  ///< on rank 0, if one is wanted
};

/// Plans a stretch, and refuses what cannot be; begins to use checkpoints if there are any.
/// Collective.
Job plan_stretch(const Session& session, const JobInputs& inputs, std::size_t index,
                 std::optional<CheckpointFiles>& checkpoints) {
  const Communicator& communicator = session.communicator();
  Job job{.config = config_of_stretch(inputs.config, index), .device = share_of_device(session)};
  const Config& config = job.config;
  Plan& plan = job.plan;
  communicator.agree([&] {
    plan = plan_of_stretch(config, inputs, index, session.size(), session.backend());
    add_files_read(inputs, plan);
    if (communicator.rank() != 0 || config.report.empty()) return;
    job.report = std::make_unique<ReportFile>(config.report);
    if (!plan.watching.lines.empty()) require_own_lines(plan.watching.lines);
  });
  const bool may_tell = communicator.rank() == 0 && config.progress != ProgressStyle::none;
  if (plan.checkpoint && !config.check) checkpoints.emplace(communicator, plan.checkpoint->file);
  resume(communicator, plan, may_tell);
  plan.unfinished = find_unfinished(communicator, plan, may_tell, !config.check);
  plan_windows(session, config, job.device, plan);
  communicator.agree([&] { job.device_facts = facts_of(session.executor(), job.device); });
  job.cost = cost_of_samples(config, session.node().ranks);
  if (config.check) print_plan(session, plan, job.device, job.device_facts, job.cost);
  require_memory(session, config, job.device, plan);
  // one of several outputs is not found to be there when others are written already
  if (inputs.stretches.size() > 1)
    communicator.agree([&] {
      if (communicator.rank() == 0) check_output(plan.output);
    });
  return job;
}

void run_job(Session& session, const Job& job, CheckpointFiles* checkpoints) {
  const Config& config = job.config;
  const Plan& plan = job.plan;
  const Communicator& communicator = session.communicator();
  const auto prediction = predict_run(session, plan, config, job.cost);
  std::optional<StoragePrediction> storage;
  if (is_worth_trying_storage(plan)) storage = predict_storage(session, plan, job.cost);
  const auto computing =
      storage && !prediction ? predict(session, plan, short_samples(job.cost)) : prediction;
  RunSummary summary = run_plan(session, plan, config.progress, checkpoints);
  summary.prediction = computing;
  summary.storage = storage;
  if (communicator.rank() == 0 && config.progress != ProgressStyle::none)
    std::fputs(closing_lines(plan, summary).c_str(), stderr);
  const SideWork writes_report;  // on every rank, since each waits for it
  communicator.agree([&] {
    if (job.report)
      job.report->write(report_json(plan, summary, job.device_facts), plan.output.file);
  });
}

void run(const Communicator& communicator, JobInputs& inputs) {
  share(communicator, inputs);
  const Config& config = inputs.config;
  communicator.agree([&] {
    if (communicator.rank() == 0) check_files(inputs);
  });
  if (!config.run.checkpoint.empty() && !config.check) set_status_of_signals(Status::stopped);
  Session session(communicator.handle(),
                  {.backend = config.run.backend, .transport = config.run.transport});
  const bool may_tell = communicator.rank() == 0 && config.progress != ProgressStyle::none;
  if (session.backend() == Backend::cpu && config.run.backend == Backend::automatic && may_tell) {
    if (const std::string trouble = gpu_trouble(); !trouble.empty())
      tell_progress(fmt::format("computing without a GPU: {}", trouble));
  }
  std::optional<CheckpointFiles> checkpoints;
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < inputs.stretches.size(); ++i)
    jobs.push_back(plan_stretch(session, inputs, i, checkpoints));
  if (config.check) return;
  if (may_tell) note_fewer_threads(session.node().threads);
  std::set<std::string> notes;  // that were told
  for (const Job& job : jobs) {
    if (may_tell && jobs.size() > 1)
      tell_progress(fmt::format("stretch {} of {}: {}", &job - jobs.data() + 1, jobs.size(),
                                name_of(job.plan.input)));
    for (const std::string& note : job.plan.notes)
      if (may_tell && notes.insert(note).second) tell_progress(fmt::format("note: {}", note));
    run_job(session, job, checkpoints ? &*checkpoints : nullptr);
    if (&job != &jobs.back()) end_on_signals_again();
  }
}

/// --help and --version. @returns the exit status
int print_facts(Request request) {
  if (!will_be_first_rank()) return 0;
  try {
    print_out(request == Request::help ? help_text() : "stencil_run " STENCIL_VERSION "\n");
    return 0;
  } catch (const Error& error) {
    std::fputs(fmt::format("stencil_run: {}\n", error.what()).c_str(), stderr);
    return static_cast<int>(error.status());
  }
}

}  // namespace

int main(int argc, char** argv) {
  start_soundly(argv);
  omp_set_num_threads(std::min(omp_get_max_threads(), most_threads()));
  prepare_storage_environment();
  JobInputs inputs;
  std::exception_ptr wrong_words;  // reported later, where all ranks can agree on it
  try {
    const Request request = read_words(argc, argv, inputs.words);
    if (request != Request::run) return print_facts(request);  // needs neither a file nor MPI
  } catch (const Error&) {
    wrong_words = std::current_exception();
  }
  const auto before = [&] {
    if (wrong_words) std::rethrow_exception(wrong_words);
    gather(inputs);
  };
  return run_guarded(argc, argv, before,
                     [&](const Communicator& communicator) { run(communicator, inputs); });
}
