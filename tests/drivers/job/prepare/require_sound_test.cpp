#include "drivers/job/prepare/require_sound.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "drivers/config/canonical.hpp"
#include "framework/grid/error.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

Config sound() {
  Config config = testing::config_of("1 2 1");
  config.input.file = "in.h5";
  return config;
}

TEST(RequireSound, SetsTheCanonicalText) {
  Config config = sound();
  require_sound(config);
  EXPECT_EQ(config.canonical, canonical_text(sound()));
  EXPECT_NE(config.canonical.find("stencil.mask=1 2 1"), std::string::npos) << config.canonical;
}

TEST(RequireSound, TheDatasetOfTheOutputIsThatOfTheInputUnlessItIsGiven) {
  const auto named = [](const std::string& input, const std::string& output) {
    Config config = sound();
    config.input.dataset = input;
    config.output.dataset = output;
    require_sound(config);
    EXPECT_NE(config.canonical.find("output.dataset=" + config.output.dataset + "\n"),
              std::string::npos);
    return config.output.dataset;
  };
  EXPECT_EQ(named("/x", ""), "/x");
  EXPECT_EQ(named("/x", "/y"), "/y");
  // by default, the output has the name of the first matching dataset
  EXPECT_EQ(named("/x*", ""), "");
}

TEST(RequireSound, NamesTheKeyAndItsValue) {
  const auto changed = [](const std::function<void(Config&)>& change) {
    Config config = sound();
    change(config);
    return config;
  };
  const std::vector<std::pair<Config, std::string>> cases{
      {changed([](Config& c) { c.input.file.clear(); }), "input.file is empty"},
      {changed([](Config& c) { c.output.file.clear(); }), "output.file is empty"},
      {changed([](Config& c) { c.output.file = "./in.h5"; }), "output.file = ./in.h5 is the input"},
      {changed([](Config& c) { c.output.gzip_level = 10; }), "output.gzip_level = 10"},
      {changed([](Config& c) { c.output.snapshot_every = -1; }), "output.snapshot_every = -1"},
      {changed([](Config& c) { c.missing.min_valid = std::numeric_limits<double>::quiet_NaN(); }),
       "missing.min_valid = nan"},
      {changed([](Config& c) { c.stages.clear(); }), "no stage"},
      {changed([](Config& c) { c.stages[0].name = "smooth"; }), "the name `smooth`"},
      {changed([](Config& c) { c.stages[0].mask = {}; }), "stencil.mask is empty"},
      {changed([](Config& c) { c.stages[0].boundary.clear(); }), "stencil.boundary is empty"},
      {changed([](Config& c) { c.stages[0].steps = 0; }), "stencil.steps = 0"},
      {changed([](Config& c) { c.stages[0].groups = 0; }), "stencil.groups = 0"},
      {changed([](Config& c) {
         c.stages[0].stride = {2, 0};
       }),
       "stencil.stride = 0"},
      {changed([](Config& c) {
         c.stages.push_back(c.stages[0]);
         c.stages[0].until_change_below = ChangeLimit{.below = 1};
       }),
       "stencil.until_change_below"},
      {changed([](Config& c) { c.run.memory = -1; }), "run.memory = -1"},
      {changed([](Config& c) { c.run.look_every = 0; }), "run.look_every = 0"},
      {changed([](Config& c) { c.run.time_limit = TimeLimit{.seconds = 9}; }), "run.time_limit"},
      {changed([](Config& c) { c.run.checkpoint = "out.h5"; }), "run.checkpoint = out.h5"},
      {changed([](Config& c) {
         c.run.checkpoint = "state.h5";
         c.input.gaps = Gaps::split;
       }),
       "input.gaps = split"},
  };
  for (auto [config, words] : cases) {
    try {
      require_sound(config);
      ADD_FAILURE() << words << ": not refused";
    } catch (const WordsError& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace stencil
