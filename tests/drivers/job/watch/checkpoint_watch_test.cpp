// Runs that save a checkpoint, end, and continue from it: the output has the same bytes as that of
// a run that was not stopped.
#include "drivers/job/watch/checkpoint_watch.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "drivers/job/resume/resume.hpp"
#include "drivers/job/run/run.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "framework/grid/error.hpp"
#include "io/probe.hpp"
#include "tests/drivers/config/config_words.hpp"
#include "tests/io/shared_scratch.hpp"
#include "tests/support/backend.hpp"
#include "tests/support/thorough.hpp"

namespace stencil {
namespace {

const std::string chain =
    "[missing]\nvalue = 5\npolicy = renormalize\n"
    "[stencil.a]\nmask = 1 2 1; 2 5 2; 1 2 1\nsteps = 6\nboundary = wrap\n"
    "[stencil.b]\nmask = box\nsize = 3\nextent = valid\n"
    "[stencil.c]\nmask = 0 1 0; 1 -3 1; 0 1 0\nsteps = 30\n"
    "[stencil.d]\nmask = 1 2 1\nstride = 2\n";

struct Case {
  explicit Case(std::string words = chain) : stages(std::move(words)) {
    session.communicator().agree([&] {
      if (session.rank() > 0) return;
      const auto file = testing::create_file(*scratch / "in.h5");
      testing::write_dataset(file, "x", {60, 50}, {}, [](Index i) { return double(i * 37 % 101); });
    });
  }

  ~Case() { session.communicator().barrier(); }  // then rank 0 removes the folder
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  Problem problem(const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"--input.file=" + *scratch / "in.h5",
                                   "--output.file=" + *scratch / output,
                                   "--run.checkpoint=" + *scratch / "state.h5"};
    words.insert(words.end(), more.begin(), more.end());
    const Config config = test::parse(test::files + stages, words);
    return make_problem(config, probe_dataset(config.input.file, "x"), {}, session.size(),
                        session.backend());
  }
  /// A run that starts from the beginning.
  Plan plan(const std::string& output, const std::vector<std::string>& more = {}) {
    return Plan(problem(output, more));
  }
  /// A run that continues from the checkpoint, if this is allowed.
  Plan resumed(const std::string& output, const std::vector<std::string>& more = {}) {
    const Begun begun = resume(session.communicator(), problem(output, more), nobody());
    return Plan(begun.problem, AtOnce{}, begun.start);
  }
  std::string bytes(const std::string& name) const {
    session.communicator().barrier();
    std::ifstream stream(*scratch / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  Session session{MPI_COMM_WORLD, {.backend = testing::backend_under_test()}};
  std::unique_ptr<testing::Scratch> scratch = testing::shared_scratch(session.communicator());
  const std::string stages;
};

/// Keeps a copy of each checkpoint, which would remain if the run were killed at that time.
struct Collector : StepWatch<float> {
  Collector(Case& of, CheckpointWatch<float>& saves) : run(of), watch(saves) {}
  Index next_look(Index done) const override { return watch.next_look(done); }
  bool look(State<float>& state) override {
    looks.push_back(state.steps_done);
    watch.look(state);
    const Communicator& all = run.session.communicator();
    all.barrier();
    if (all.rank() == 0 && std::filesystem::exists(*run.scratch / "state.h5"))
      std::filesystem::copy_file(*run.scratch / "state.h5", copy_of(state.steps_done));
    all.barrier();
    return true;
  }
  std::string copy_of(Index steps) const {
    return *run.scratch / ("after" + std::to_string(steps));
  }
  Case& run;
  CheckpointWatch<float>& watch;
  std::vector<Index> looks{};
};

/// Makes a run that writes a checkpoint at every check of the points, and keeps copies of all
/// checkpoints. @returns the steps at which the points are checked
std::vector<Index> collect(Case& one, const Plan& plan) {
  CheckpointFiles files(one.session.communicator(), plan.checkpoint->file);
  Pipeline<float> pipeline(one.session, plan.chain);
  std::optional<Field<float>> field;
  field = pipeline.make_input();
  const InputDataset input(plan.input);
  input.read<float>(plan.input_form, field->subdomain().owned, field->owned(), plan.missing);
  CheckpointWatch<float> watch(one.session, plan, files,
                               {.missing = 7, .nans = 0, .infinities = 0});
  Collector collector(one, watch);
  advance_watched<float>(pipeline, pipeline.start(std::move(*field)), {collector});
  return collector.looks;
}

/// Replaces the latest checkpoint by the copy that was made after `steps` steps.
void put_back(const Case& one, Index steps) {
  one.session.communicator().barrier();
  if (one.session.rank() == 0)
    std::filesystem::rename(*one.scratch / ("after" + std::to_string(steps)),
                            *one.scratch / "state.h5");
  one.session.communicator().barrier();
}

TEST(CheckpointWatch, TheRestHasTheSameBytes) {
  if (testing::backend_under_test() != Backend::cpu) GTEST_SKIP() << "reads into host memory";
  Case one;
  run_plan(one.session, one.plan("right.h5"));
  const Plan saving = one.plan("unused.h5", {"--run.checkpoint_every=1 steps"});
  const std::vector<Index> looks = collect(one, saving);
  EXPECT_GE(looks.size(), 8U);
  for (const Index steps : testing::sampled(looks, 1)) {
    SCOPED_TRACE(std::to_string(steps) + " steps");
    put_back(one, steps);
    const std::string output = "out" + std::to_string(steps) + ".h5";
    CheckpointFiles files(one.session.communicator(), *one.scratch / "state.h5");
    const Plan plan = one.resumed(output);
    ASSERT_TRUE(plan.resumed());
    EXPECT_EQ(plan.resumed()->steps_done, steps);
    EXPECT_EQ(plan.chain.steps(), 38 - steps);
    const RunSummary summary = run_plan(one.session, plan, {}, &files);
    EXPECT_EQ(summary.missing_in, 7) << "as the checkpoint says";
    EXPECT_EQ(one.bytes(output), one.bytes("right.h5"));
    EXPECT_FALSE(std::filesystem::exists(*one.scratch / "state.h5")) << "the run is done";
  }
}

TEST(CheckpointWatch, TheRestEndsEarlyWhereTheWholeRunDoes) {
  if (testing::backend_under_test() != Backend::cpu) GTEST_SKIP() << "reads into host memory";
  Case one(
      "[stencil]\nmask = 0 .125 0; .125 .5 .125; 0 .125 0\nsteps = 3000\n"
      "until_change_below = 0.005\n[run]\nlook_every = 9\n");
  const RunSummary whole = run_plan(one.session, one.plan("right.h5"));
  ASSERT_TRUE(whole.ended_at);
  int compared = 0;
  const std::string every = testing::is_thorough() ? "1 steps" : "30 steps";
  std::vector<Index> looks =
      collect(one, one.plan("unused.h5", {"--run.checkpoint_every=" + every}));
  std::erase_if(looks, [&](Index steps) {  // the last checks, and checks without a checkpoint
    return steps >= *whole.ended_at ||
           !std::filesystem::exists(*one.scratch / ("after" + std::to_string(steps)));
  });
  for (const Index steps : testing::sampled(looks, 1)) {
    SCOPED_TRACE(std::to_string(steps) + " steps");
    put_back(one, steps);
    CheckpointFiles files(one.session.communicator(), *one.scratch / "state.h5");
    const Plan plan = one.resumed("out.h5", {"--output.overwrite=true"});
    ASSERT_TRUE(plan.resumed());
    const RunSummary rest = run_plan(one.session, plan, {}, &files);
    EXPECT_EQ(rest.ended_at, whole.ended_at);
    EXPECT_EQ(rest.notes, whole.notes);
    EXPECT_EQ(one.bytes("out.h5"), one.bytes("right.h5"));
    ++compared;
  }
  EXPECT_GE(compared, 3);
}

/// The checkpoint is written after the step that overflows, and before the check that would detect
/// the overflow.
TEST(CheckpointWatch, AnOverflowIsNotTakenForTheInputs) {
  if (testing::backend_under_test() != Backend::cpu) GTEST_SKIP() << "reads into host memory";
  Case one("[stencil]\nmask = 0 1 0; 1 4 1; 0 1 0\nsteps = 90\n[run]\nlook_every = 80\n");
  Index last = 0;
  for (const Index steps : collect(one, one.plan("unused.h5", {"--run.checkpoint_every=1 steps"})))
    if (steps < 80) last = steps;
  ASSERT_GT(last, 43);  // 8^43 times 100 is infinite in float32
  put_back(one, last);
  CheckpointFiles files(one.session.communicator(), *one.scratch / "state.h5");
  const Plan plan = one.resumed("out.h5");
  try {
    run_plan(one.session, plan, {}, &files);
    FAIL() << "went on";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::words);
    const std::string said = fmt::format("after step {} of 90 ", last);
    EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
  }
}

/// The points are checked only at the ends of sweeps: to stop within a sweep of several steps would
/// need more time, and memory for one more field.
TEST(CheckpointWatch, LooksAtTheEndsOfSweeps) {
  Case one("[stencil]\nmask = 0 1 0; 1 4 1; 0 1 0\nsteps = 200\n");
  const Plan plan = one.plan("out.h5", {"--run.checkpoint_every=7 steps"});
  const Index each = plan.chain.stages.front().steps_per_sweep;
  CheckpointFiles files(one.session.communicator(), plan.checkpoint->file);
  const CheckpointWatch<float> watch(one.session, plan, files, {});
  for (Index done = 0; done < 200; done += 13) {
    const Index next = watch.next_look(done);
    EXPECT_GT(next, done);
    EXPECT_TRUE(next > 200 || next % each == 0) << "from " << done << " to " << next;
  }
  EXPECT_GT(watch.next_look(199), 200) << "nothing is left to do after the last step";
}

TEST(Resume, ACheckpointOfAnotherRunIsRefused) {
  Case one;
  collect(one, one.plan("unused.h5", {"--run.checkpoint_every=1 steps"}));
  const auto refusal = [&](const std::vector<std::string>& more) -> std::string {
    try {
      one.resumed("out.h5", more);
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::words);
      return error.what();
    }
  };
  const std::string words = refusal({"--stencil.c.steps=31"});
  EXPECT_NE(words.find("state.h5 is of another run: stencil.c.steps was 30 and is 31: "),
            std::string::npos)
      << words;
  EXPECT_NE(words.find("run.restart = never"), std::string::npos);
  EXPECT_EQ(refusal({"--output.compression=gzip:1"}), "") << "only how the output is stored";
  EXPECT_EQ(refusal({"--stencil.c.steps=31", "--run.restart=never"}), "");
  EXPECT_FALSE(one.resumed("out.h5", {"--run.restart=never"}).resumed());
}

}  // namespace
}  // namespace stencil
