// Checkpoints that belong to the same run, and the messages for other checkpoints.
#include "drivers/plan/make/checkpoint_plan.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "drivers/plan/describe/describe.hpp"
#include "drivers/plan/describe/plan_text.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "include/stencil/version.hpp"
#include "tests/drivers/config/config_words.hpp"
#include "tests/drivers/plan/two_stages.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

std::string words_of(const std::string& text, const std::vector<std::string>& arguments = {},
                     const DatasetFacts& input = testing::facts_of_file(), int ranks = 1,
                     const MaskFiles& masks = {}) {
  const Config config = test::parse(test::files + text, arguments);
  return make_problem(config, input, masks, ranks).checkpoint->words;
}

TEST(CheckpointPlan, NeitherResourcesNorNamesBelongToARun) {
  const std::string words = words_of(testing::two_stages);
  for (const std::string argument :
       {"--output.file=other.h5", "--output.dtype=int16", "--output.chunk=4x5",
        "--run.backend=cuda", "--run.memory=1GiB", "--run.checkpoint_every=3 steps",
        "--run.checkpoint=other.h5", "--run.restart=never", "--input.file=./copy.h5"})
    EXPECT_EQ(words_of(testing::two_stages, {argument}), words) << argument;
  EXPECT_EQ(words_of(testing::two_stages, {}, testing::facts_of_file(), 4), words);
  EXPECT_EQ(words_of(testing::two_stages, {"--run.precision=float32"}), words);
  DatasetFacts elsewhere = testing::facts_of_file();
  elsewhere.file = "/elsewhere/in.h5";
  EXPECT_EQ(words_of(testing::two_stages, {}, elsewhere), words);
}

/// Checkpoints store these names; if they change, checkpoints of earlier builds are refused.
TEST(CheckpointPlan, TheIdentityHasTheseFacts) {
  std::string words =
      words_of("[stencil.a]\nmask = 1 2 1\nsteps = 4\n[run]\ncheckpoint = state.h5\n",
               {"--input.dataset=/output.x", "--missing.value=nan"});
  words.resize(words.find("mask of [stencil.a]="));  // a checksum follows
  EXPECT_EQ(words, std::string("version of the program=" STENCIL_VERSION "\n") +
                       "input.dataset=/output.x\ninput.packed=values\n"
                       "missing.value=nan\nmissing.policy=propagate\n"
                       "stencil.a.operation=correlate\nstencil.a.mask=1 2 1\nstencil.a.axis=1\n"
                       "stencil.a.boundary=reflect\nstencil.a.extent=same\nstencil.a.origin=0\n"
                       "stencil.a.stride=1\nstencil.a.steps=4\nstencil.a.method=auto\n"
                       "type computed in=float32\nshape of the input=40x50 float32\n"
                       "bytes of the input=8100\n"
                       "last change of the input (ns since 1970)=1700000000123456789\n"
                       "method of [stencil.a]=direct\n");
}

TEST(CheckpointPlan, WhatDiffersIsSaid) {
  const std::string words = words_of(testing::two_stages);
  const auto differs = [&](const std::string& argument) {
    return difference(words, words_of(testing::two_stages, {argument}));
  };
  EXPECT_EQ(difference(words, words), "");
  EXPECT_EQ(differs("--stencil.a.steps=5"), "stencil.a.steps was 4 and is 5");
  EXPECT_NE(differs("--stencil.a.mask=1 3 1").find("stencil.a.mask was 1 2 1 and is 1 3 1"),
            std::string::npos);
  EXPECT_EQ(differs("--run.precision=float64"), "type computed in was float32 and is float64");
  EXPECT_EQ(differs("--stencil.b.boundary=wrap"), "stencil.b.boundary was reflect and is wrap");
  EXPECT_EQ(differs("--missing.value=nan"), "missing.value was auto and is nan");
  DatasetFacts changed = testing::facts_of_file();
  ++changed.modified;
  EXPECT_EQ(difference(words, words_of(testing::two_stages, {}, changed)),
            "last change of the input (ns since 1970) was 1700000000123456789 and is "
            "1700000000123456790");
  EXPECT_NE(difference(words, "version of the program=0\n").find("and"), std::string::npos);
}

TEST(CheckpointPlan, TheMethodThatIsChosenBelongsToARunNotTheWordForIt) {
  const std::string text =
      "[stencil]\nmask = gaussian\nsigma = 2\nsteps = 4\n[run]\ncheckpoint = state.h5\n";
  const std::string words = words_of(text);
  EXPECT_EQ(difference(words, words_of(text, {"--stencil.method=separable"})), "");
  EXPECT_EQ(difference(words_of(text, {"--stencil.method=separable"}), words), "");
  const std::string differs = difference(words, words_of(text, {"--stencil.method=direct"}));
  EXPECT_NE(differs.find("method of [stencil] was separable and is direct (stencil.method = "
                         "separable keeps it)"),
            std::string::npos)
      << differs;
  EXPECT_NE(differs.find("stencil.method was auto and is direct"), std::string::npos) << differs;
  const std::string sum = "method of [stencil.a]=sum of 2 separable\n",
                    direct = "method of [stencil.a]=direct\n";
  EXPECT_EQ(difference(sum, direct),
            "method of [stencil.a] was sum of 2 separable and is direct (stencil.a.method = "
            "separable keeps it)");
}

TEST(CheckpointPlan, TheNumberOfRanksChangesNoMethodOnGpus) {
  for (const std::string mask : {"gaussian\nsigma = 5", "box\nsize = 3", "laplace"}) {
    const std::string text =
        "[stencil]\nmask = " + mask + "\nsteps = 4\n[run]\ncheckpoint = state.h5\n";
    const std::string on_gpu = "--run.backend=cuda";
    EXPECT_EQ(words_of(text, {on_gpu}, testing::facts_of_file(), 7),
              words_of(text, {on_gpu}, testing::facts_of_file(), 1))
        << mask;
  }
}

TEST(CheckpointPlan, HowItsOutputIsStoredBelongsToARunWithSnapshots) {
  const std::string text = "[stencil]\nmask = 1 2 1\nsteps = 40\n[run]\ncheckpoint = state.h5\n";
  const std::string every = "--output.snapshot_every=10";
  const std::string words = words_of(text, {every});
  const auto differs = [&](const std::string& argument) {
    return difference(words, words_of(text, {every, argument}));
  };
  EXPECT_EQ(words_of(text, {every}, testing::facts_of_file(), 4), words);
  EXPECT_EQ(differs("--run.memory=1GiB"), "");
  EXPECT_EQ(differs("--output.file=other.h5"), "") << "it may be moved";
  EXPECT_EQ(differs("--output.dtype=int16"), "output.dtype was auto and is int16");
  EXPECT_EQ(differs("--output.chunk=4x5"), "output.chunk is 4x5 here, and not there");
  EXPECT_EQ(difference(words, words_of(text, {"--output.snapshot_every=20"})),
            "output.snapshot_every was 10 and is 20");
  EXPECT_EQ(differs("--input.file=./copy.h5"), "") << "the output's attributes are written anew";
}

TEST(CheckpointPlan, AMaskFromAFileCountsByItsValues) {
  const std::string text = "[stencil]\nmask = m.h5:/m\nsteps = 3\n[run]\ncheckpoint = state.h5\n";
  const auto words = [&](double tap) {
    return words_of(text, {}, testing::facts_of_file(), 1, {{"m.h5:/m", {{3}, {1, 2, tap}}}});
  };
  EXPECT_EQ(words(1), words(1));
  EXPECT_NE(difference(words(1), words(1 + 1e-15)).find("mask of [stencil] was"),
            std::string::npos);
  const auto renamed = [&](double tap, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--stencil.mask=other.h5:/n"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return words_of(text, arguments, testing::facts_of_file(), 1,
                    {{"other.h5:/n", {{3}, {1, 2, tap}}}});
  };
  EXPECT_EQ(renamed(1), words(1));
  EXPECT_NE(renamed(2), words(1));
  const std::string taps = words_of(text, {"--stencil.mask=1 2 1"});
  EXPECT_EQ(difference(words(1), taps), "stencil.mask was a dataset and is 1 2 1");
  const std::string every = "--output.snapshot_every=1";
  const std::string snapshots =
      words_of(text, {every}, testing::facts_of_file(), 1, {{"m.h5:/m", {{3}, {1, 2, 1}}}});
  EXPECT_EQ(difference(snapshots, renamed(1, {every})), "");
  EXPECT_NE(difference(snapshots, renamed(2, {every})), "");
}

TEST(CheckpointPlan, HowTilesAreCutAndWhereTheyBeginCounts) {
  const Config config = test::parse(
      test::files + "[stencil]\nmask = box\nsize = 7\nmethod = fft\n[run]\ncheckpoint = s.h5\n",
      {});
  const Problem plan = make_problem(config, testing::facts_of_file(), {}, 1);
  ASSERT_FALSE(plan.chain.stages[0].choice.tiles.empty());
  const auto difference_of = [&](const auto& change) {
    Problem other = plan;
    change(other.chain.stages[0].choice.tiles);
    return difference(run_words(config, plan), run_words(config, other));
  };
  EXPECT_EQ(difference_of([](FftTiles&) {}), "");
  EXPECT_NE(difference_of([](FftTiles& tiles) { tiles.x.points *= 2; }), "");
  EXPECT_NE(difference_of([](FftTiles& tiles) { tiles.x.lead += 1; }), "");
}

TEST(CheckpointPlan, ItsPlaceAndSizeAreTold) {
  const auto said = [](const std::vector<std::string>& arguments, Index unit = -1) {
    const Problem problem = make_problem(test::parse(test::files + testing::two_stages, arguments),
                                         testing::facts_of_file(), {}, 1);
    const RunWay way = unit < 0 ? RunWay{} : RunWay{Windows{.unit = unit}};
    const std::string text = plan_text(describe(Plan(problem, way), "", {}));
    const std::size_t at = text.find("\nsaves ");
    return at == text.npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
  };
  const std::string size = "state.h5, up to 7.81 KiB each, of which the folder holds up to three";
  EXPECT_NE(said({}).find("/" + size + ", every 10 min"), std::string::npos) << said({});
  EXPECT_NE(said({"--run.checkpoint_every=70 steps"}).find("every 70 steps"), std::string::npos);
  EXPECT_NE(said({"--run.checkpoint_every=1.5 h"}).find("every 90 min"), std::string::npos);
  EXPECT_NE(said({"--run.checkpoint_every=5 s"}).find("every 5 s"), std::string::npos);
  EXPECT_NE(said({}, 4).find("stay in out.h5.part, and "), std::string::npos) << said({}, 4);
  EXPECT_NE(said({}, 0).find("nothing, as blocks "), std::string::npos) << said({}, 0);
  EXPECT_NE(said({"--output.compression=gzip:1"}, 4).find("packed"), std::string::npos);
  const std::string snapshots =
      said({"--output.snapshot_every=2", "--stencil.b.stride=1", "--run.precision=float64"});
  EXPECT_NE(snapshots.find("15.62 KiB each"), std::string::npos) << snapshots;
  EXPECT_NE(snapshots.find("out.h5.part stays, and /"), std::string::npos) << snapshots;
  EXPECT_NE(snapshots.find("state.h5.snapshots lists its snapshots"), std::string::npos)
      << snapshots;
}

// The last of several steps leaves out points beyond the selection, and is a separate stage.
TEST(CheckpointPlan, BothPartsOfStepsWithMarginsGoByOneMethod) {
  const Config config =
      test::parse(test::files + "[stencil]\nmask = gaussian\nsigma = 9\nsteps = 30\n",
                  {"--input.select=4000:7001", "--input.edges=data"});
  DatasetFacts facts = testing::facts_of({11000});
  facts.wanted = {{4000, 1, 3001}};
  const Problem plan = make_problem(config, facts, {}, 1);
  ASSERT_EQ(plan.chain.stages.size(), 2U);
  EXPECT_EQ(plan.chain.stages[0].steps, 29);
  EXPECT_EQ(plan.chain.stages[0].methods(), "fft");
  EXPECT_EQ(plan.chain.stages[1].steps, 1);
  EXPECT_EQ(plan.chain.stages[1].methods(), "fft");
}

}  // namespace
}  // namespace stencil
