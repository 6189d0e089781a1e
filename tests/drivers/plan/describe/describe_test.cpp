// The plan as JSON, and the text that is generated from it.
#include "drivers/plan/describe/describe.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "drivers/plan/describe/plan_text.hpp"
#include "drivers/plan/make/make_problem.hpp"
#include "tests/drivers/config/config_words.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::facts_of;

Plan plan_of(const std::string& text, const std::vector<std::string>& arguments = {},
             const DatasetFacts& facts = facts_of({40, 50}), int ranks = 2) {
  return Plan(make_problem(test::parse(test::files + text, arguments), facts, {}, ranks));
}

const Measured everything{Limits{8e9, 1e12},
                          Prediction{{2.5}},
                          StoragePrediction{1.5, 3, 0.25},
                          Index{3} << 30,
                          {"a GPU"}};

/// The JSON contains all values of the text.
void expect_text_of_json(const Plan& plan, const Measured& measured) {
  const Description description = describe(plan, "a processor", measured);
  const std::string text = plan_text(description);
  for (const int indent : {-1, 2})
    EXPECT_EQ(plan_text(Description::parse(json_text(description, indent))), text);
  EXPECT_EQ(json_text(description, -1).find('\n'), std::string::npos);
}

TEST(Describe, TheTextIsMadeOfTheJsonAlone) {
  expect_text_of_json(plan_of("[stencil]\nmask = 1 2 1\n"), everything);
  expect_text_of_json(plan_of("[stencil]\nmask = 1 2 1\n"), {});
  for (const std::string words :
       {"mask = gaussian\nrank = 2\nsigma = 2", "mask = box\nrank = 2\nsize = 3\nsteps = 100",
        "mask = 1 2 1\nboundary = constant\nboundary_value = nan",
        "mask = 1 2 1\nboundary = zero\naxis = 0", "mask = 1", "mask = 1 2 1\nstride = 3"})
    expect_text_of_json(plan_of("[stencil]\n" + words + "\n[run]\ncheckpoint = state.h5\n"),
                        everything);
  DatasetFacts facts = facts_of({40, 50}, ElementType::int16);
  facts.remarks = {"the times of /t are uneven"};
  facts.wanted = {{10, 2, 5}, {0, 1, 50}};
  expect_text_of_json(
      plan_of("[stencil]\nmask = 1 2 1\naxis = 0\n",
              {"--output.dtype=int16", "--output.scale=0.1 3", "--output.compression=gzip:4"},
              facts),
      everything);
}

TEST(Describe, ASelectionHasItsFirstPointItsStepAndItsCount) {
  DatasetFacts facts = facts_of({40, 50});
  facts.wanted = {{10, 2, 5}, {0, 1, 50}};
  const Description json = describe(plan_of("[stencil]\nmask = 1 2 1\naxis = 0\n", {}, facts),
                                    "a processor", everything);
  EXPECT_EQ(json["input"]["selected"], Description::parse("[[10, 2, 5], [0, 1, 50]]"));
  EXPECT_EQ(json["input"]["shape"], (std::vector{5, 50}));
}

TEST(Describe, MembersHaveTheirValues) {
  const Plan plan = plan_of("[stencil]\nmask = 1 2 1\nboundary = constant\nboundary_value = nan\n",
                            {"--run.checkpoint=state.h5", "--run.checkpoint_every=70 steps"});
  const Description json = describe(plan, "a processor", everything);
  EXPECT_EQ(json["program"], "stencil_run");
  EXPECT_EQ(json["input"]["shape"], (std::vector{40, 50}));
  EXPECT_EQ(json["source"]["name"], "in.h5:/x");
  EXPECT_EQ(json["way"], "at once");
  EXPECT_EQ(json["ranks"], 2);
  EXPECT_EQ(json["stages"][0]["boundary"], Description::array({"constant"}));
  EXPECT_EQ(json["stages"][0]["boundary_value"], "nan");
  EXPECT_EQ(json["stages"][0]["mask_axis"], "x");
  EXPECT_EQ(json["checkpoint"]["every"]["steps"], 70);
  EXPECT_EQ(json["checkpoint"]["bytes"], 40 * 50 * 4);
  EXPECT_EQ(json["seconds_predicted"]["total"], 7.25);
  EXPECT_EQ(json["memory_per_gpu_bytes"], Index{3} << 30);
  EXPECT_FALSE(json.contains("windows"));
}

TEST(Describe, NamesThatAreNotUtf8) {
  DatasetFacts facts = facts_of({40, 50});
  facts.dataset = "/\xff";
  const Description json = describe(plan_of("[stencil]\nmask = 1 2 1\n", {}, facts), "", {});
  EXPECT_EQ(Description::parse(json_text(json, -1))["input"]["dataset"], "/\xef\xbf\xbd");
}

}  // namespace
}  // namespace stencil
