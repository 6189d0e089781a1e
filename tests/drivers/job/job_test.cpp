// Jobs as another program uses them: several jobs in one process, with a listener, and jobs that
// are stopped and run again.
#include "drivers/job/job.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/io/shared_scratch.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

/// Records everything that a job reports.
struct Recorder : Listener {
  void planned(const PlanReport& plan) override { plans.push_back(plan); }
  void message(const std::string& text) override { texts.push_back(text); }
  void note(const std::string& text) override { texts.push_back("note: " + text); }
  void begin(Index points) override { total = points, done = 0; }
  void phase(const std::string& name, Index) override { phases.push_back(name); }
  void advance(Index points) override {
    done += points;
    if (on_advance) on_advance();
  }
  void begin_steps(const StepsAhead& steps) override { ahead = steps; }
  void step(Index now) override {
    steps_done.push_back(now);
    if (on_step) on_step(now);
  }
  void stations(const StationTimes& times) override { station_times.push_back(times); }
  void end(const RunEnd& run) override { ends.push_back(run); }
  void can_stop(StopToken&) override { ++stoppable; }
  void cannot_stop() override { --stoppable; }

  std::function<void()> on_advance{};
  std::function<void(Index)> on_step{};
  std::vector<PlanReport> plans{};
  std::vector<std::string> texts{}, phases{};
  std::vector<Index> steps_done{};
  std::vector<StationTimes> station_times{};
  std::vector<RunEnd> ends{};
  StepsAhead ahead{};
  Index total = 0, done = 0;
  int stoppable = 0;
};

/// State of the process that a job must not change.
struct Process {
  int threads = omp_get_max_threads();
  std::vector<void (*)(int)> handlers = [] {
    std::vector<void (*)(int)> all;
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGPIPE, SIGXFSZ, SIGSEGV, SIGBUS}) {
      struct sigaction action {};
      ::sigaction(signal, nullptr, &action);
      all.push_back(action.sa_handler);
    }
    return all;
  }();
  std::vector<std::string> environment = [] {
    std::vector<std::string> all;
    for (char** entry = environ; *entry != nullptr; ++entry) all.emplace_back(*entry);
    return all;
  }();
  bool operator==(const Process&) const = default;
};

/// Checks after each test that the test printed nothing and did not change the state of the
/// process.
struct JobTest : ::testing::Test {
  JobTest() {
    world.agree([&] {
      if (world.rank() > 0) return;
      const auto file = testing::create_file(*scratch / "in.h5");
      testing::write_dataset(file, "x", {60, 50}, {}, [](Index i) { return double(i * 37 % 101); });
    });
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
  }
  ~JobTest() override {
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(before, Process());
    world.barrier();  // afterwards rank 0 removes the folder
  }
  JobTest(const JobTest&) = delete;
  JobTest& operator=(const JobTest&) = delete;

  /// A configuration of two stages, the second of which has many steps.
  Config config(const std::string& output) const {
    Config config = testing::config_of("1 2 1; 2 5 2; 1 2 1");
    config.input.file = *scratch / "in.h5";
    config.input.dataset = "/x";
    config.output.file = *scratch / output;
    config.output.dataset = "/x";
    config.stages.push_back(config.stages[0]);
    config.stages[0].name = "stencil.first";
    config.stages[1].name = "stencil.many";
    config.stages[1].mask = read_mask("0 .1 0; .1 .6 .1; 0 .1 0");
    config.stages[1].steps = 400;
    config.run.backend = testing::backend_under_test();
    return config;
  }
  std::string read(const std::string& name) const {
    std::ifstream stream(*scratch / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  /// The bytes of a file to which all ranks have written.
  std::string bytes(const std::string& name) const {
    world.barrier();
    return read(name);
  }
  bool exists(const std::string& name) const {
    world.barrier();
    return std::filesystem::exists(*scratch / name);
  }
  /// The message of the error of type E that a job throws.
  template <class E>
  static std::string failure(Job& job, Listener& listener, MPI_Comm ranks = MPI_COMM_WORLD) {
    try {
      job.run(ranks, listener);
      ADD_FAILURE() << "the job has not thrown";
    } catch (const E& error) {
      EXPECT_NE(dynamic_cast<const std::nested_exception*>(&error), nullptr) << "agreed on";
      return error.what();
    } catch (const Error& error) {
      ADD_FAILURE() << "another type: " << error.what();
    }
    return "";
  }

  const Communicator world{MPI_COMM_WORLD};
  std::unique_ptr<testing::Scratch> scratch = testing::shared_scratch(world);
  const Process before{};
};

bool contain(const std::vector<std::string>& texts, const std::string& words) {
  return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) {
    return text.find(words) != std::string::npos;
  });
}

TEST_F(JobTest, RunsTwiceAndTellsItsListener) {
  Config twice = config("out.h5");
  twice.output.overwrite = true;
  twice.report = *scratch / "report.json";
  Job job(twice);
  std::string first;
  for (const int round : {0, 1}) {
    Recorder heard;
    job.run(MPI_COMM_WORLD, heard);
    if (round == 0) first = bytes("out.h5");
    EXPECT_EQ(bytes("out.h5"), first);
    EXPECT_GT(first.size(), 60u * 50 * 4);
    EXPECT_EQ(heard.stoppable, 0);
    if (world.rank() > 0) {
      EXPECT_TRUE(heard.plans.empty() && heard.phases.empty() && heard.ends.empty());
      continue;
    }
    EXPECT_EQ(heard.done, heard.total);
    ASSERT_EQ(heard.plans.size(), 1u);
    EXPECT_NE(heard.plans[0].json.find("stencil.many"), std::string::npos) << heard.plans[0].json;
    EXPECT_EQ(heard.plans[0].text, "");
    EXPECT_EQ(heard.phases, (std::vector<std::string>{"read", "compute", "write"}));
    EXPECT_EQ(heard.ahead.total, 401);
    ASSERT_EQ(heard.steps_done.size(), 401u);
    EXPECT_EQ(heard.steps_done.front(), 1);
    EXPECT_EQ(heard.steps_done.back(), 401);
    ASSERT_EQ(heard.ends.size(), 1u);
    const RunEnd& end = heard.ends[0];
    EXPECT_EQ(end.output, twice.output.file);
    EXPECT_EQ(end.shape, (std::vector<Index>{60, 50}));
    EXPECT_EQ(end.steps, 401);
    EXPECT_GT(end.seconds, 0);
    EXPECT_NE(end.lines.find("progress: wrote "), std::string::npos) << end.lines;
    EXPECT_EQ(end.report, read("report.json"));
  }
}

/// Every rank runs a separate job at the same time, with different numbers of steps.
TEST_F(JobTest, RunsOnACommunicatorOfTheCaller) {
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank(), 0, &own);
  const auto named = [](const char* name, int rank) { return name + std::to_string(rank) + ".h5"; };
  Config alone = config(named("alone", world.rank()));
  alone.stages[1].steps = 20 + world.rank();
  Recorder heard;
  Job(alone).run(own, heard);
  MPI_Comm_free(&own);
  ASSERT_EQ(heard.ends.size(), 1u) << "rank 0 of its communicator";
  EXPECT_EQ(heard.ends[0].steps, 21 + world.rank());
  for (int rank = 0; rank < world.size(); ++rank) {
    Config together = config(named("together", rank));
    together.stages[1].steps = 20 + rank;
    Job(together).run();
    EXPECT_EQ(bytes(named("alone", rank)), bytes(named("together", rank)));
  }
}

TEST_F(JobTest, StopsWithACheckpointAndGoesOn) {
  Job(config("right.h5")).run();
  for (const bool by_listener : {true, false}) {
    const std::string output = by_listener ? "listener.h5" : "thread.h5";
    Config saved = config(output);
    saved.run.checkpoint = *scratch / "state.h5";
    Job job(saved);
    Recorder heard;
    if (by_listener)
      heard.on_step = [&](Index done) {
        if (done == 3) job.stop();
      };
    else if (world.rank() == world.size() - 1)
      std::thread([&] { job.stop(); }).join();
    const std::string words = failure<StoppedError>(job, heard);
    EXPECT_NE(words.find("stopped by a call of Job::stop(): "), std::string::npos) << words;
    EXPECT_FALSE(exists(output));
    EXPECT_EQ(exists("state.h5"), by_listener) << "there was no step before the other began";
    EXPECT_EQ(heard.stoppable, 0);
    Recorder rest;
    Job(saved).run(MPI_COMM_WORLD, rest);
    EXPECT_EQ(bytes(output), bytes("right.h5"));
    EXPECT_FALSE(exists("state.h5"));
    if (world.rank() > 0) continue;
    EXPECT_EQ(contain(rest.texts, "continues from "), by_listener);
    EXPECT_EQ(rest.ahead.done > 0, by_listener);
    EXPECT_EQ(rest.ahead.total, 401);
    EXPECT_EQ(rest.steps_done.front(), rest.ahead.done + 1);
    const std::string said = by_listener ? "of 401 steps are done and saved in" : "not begun";
    EXPECT_NE(words.find(said), std::string::npos) << words;
  }
}

TEST_F(JobTest, StopsWithoutACheckpointAndRunsAgain) {
  Job(config("right.h5")).run();
  Job job(config("out.h5"));
  Recorder heard;
  heard.on_step = [&](Index done) {
    if (done == 3) job.stop();
  };
  const std::string words = failure<StoppedError>(job, heard);
  EXPECT_NE(words.find("nothing is saved, because the run has no checkpoint"), std::string::npos)
      << words;
  EXPECT_LT(heard.steps_done.size(), 401u);
  EXPECT_FALSE(exists("out.h5") || exists("out.h5.part"));
  job.run();
  EXPECT_EQ(bytes("out.h5"), bytes("right.h5"));
}

TEST_F(JobTest, StopsBetweenWindowsAndGoesOn) {
  world.agree([&] {
    if (world.rank() > 0) return;
    const auto file = testing::create_file(*scratch / "long.h5");
    testing::write_dataset(file, "x", {16000, 500}, {}, [](Index i) { return double(i % 101); });
  });
  const auto windows = [&](const std::string& output, bool saves) {
    Config config = this->config(output);
    config.input.file = *scratch / "long.h5";
    config.stages.pop_back();
    config.run.memory = Index{24} << 20;
    config.output.dtype = ElementType::float32;
    if (saves) config.run.checkpoint = *scratch / "state.h5";
    return config;
  };
  Recorder whole;
  Job(windows("right.h5", false)).run(MPI_COMM_WORLD, whole);
  if (world.rank() == 0) {
    ASSERT_EQ(whole.station_times.size(), 1u) << whole.plans.at(0).json;
    EXPECT_GT(whole.station_times[0].busy[0], 0);
  }
  for (const bool saves : {false, true}) {
    Job job(windows("out.h5", saves));
    Recorder heard;
    heard.on_advance = [&] { job.stop(); };
    const std::string words = failure<StoppedError>(job, heard);
    const char* const said = saves ? "% of the outputs are done and kept in" : "nothing is saved";
    EXPECT_NE(words.find(said), std::string::npos) << words;
    EXPECT_FALSE(exists("out.h5"));
    EXPECT_EQ(exists("out.h5.part"), saves);
  }
  Job(windows("out.h5", true)).run();
  EXPECT_EQ(bytes("out.h5"), bytes("right.h5"));
}

TEST_F(JobTest, WhatIsWrongIsATypedErrorAndTheProcessGoesOn) {
  Recorder heard;
  Config empty = config("out.h5");
  empty.stages.clear();
  EXPECT_THROW(Job{empty}, WordsError);
  Config axis = config("out.h5");
  axis.input.axis = 7;
  axis.stages[0].mask = read_mask("1 2 1");
  Job of_axis(axis);
  EXPECT_NE(failure<WordsError>(of_axis, heard).find("axis"), std::string::npos);
  Config absent = config("out.h5");
  absent.input.file = *scratch / "absent.h5";
  Job of_absent(absent);
  EXPECT_NE(failure<StorageError>(of_absent, heard).find("absent.h5"), std::string::npos);
  world.agree([&] {
    if (world.rank() == 0) std::ofstream(*scratch / "text.h5") << "no HDF5";
  });
  absent.input.file = *scratch / "text.h5";
  Job of_text(absent);
  EXPECT_NE(failure<StorageError>(of_text, heard).find("text.h5"), std::string::npos);
  Job sound(config("out.h5"));
  sound.run();
  EXPECT_TRUE(exists("out.h5"));
  EXPECT_NE(failure<StorageError>(sound, heard).find("out.h5"), std::string::npos) << "is there";
}

TEST_F(JobTest, ConfigurationsThatDifferBetweenRanksAreRefused) {
  Config other = config("out.h5");
  other.stages[1].steps += world.rank();
  Job job(other);
  Recorder heard;
  if (world.size() == 1) {
    job.run(MPI_COMM_WORLD, heard);
    EXPECT_TRUE(exists("out.h5"));
    return;
  }
  const std::string words = failure<WordsError>(job, heard);
  EXPECT_NE(words.find("stencil.many.steps=401 on rank 1"), std::string::npos) << words;
}

TEST_F(JobTest, ACheckPlansOnly) {
  Config checked = config("out.h5");
  checked.check = true;
  Recorder heard;
  Job(checked).run(MPI_COMM_WORLD, heard);
  EXPECT_EQ(heard.plans.size(), world.rank() == 0 ? 1u : 0u);
  if (world.rank() == 0) {
    EXPECT_EQ(heard.plans.at(0).text.find("input "), 0u);
  }
  EXPECT_TRUE(heard.phases.empty() && heard.ends.empty());
  EXPECT_FALSE(exists("out.h5"));
}

}  // namespace
}  // namespace stencil
