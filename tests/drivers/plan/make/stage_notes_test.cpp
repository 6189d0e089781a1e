#include "drivers/plan/make/stage_notes.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "drivers/plan/make/make_problem.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::config_of;
using testing::facts_of;

/// The notes of a plan as one text.
std::string notes_on(const Config& config, const DatasetFacts& facts) {
  std::string all;
  for (const std::string& note : make_problem(config, facts, {}, 1).notes) all += note + "\n";
  return all;
}

std::string notes_on(const Config& config, const std::vector<Index>& dims = {1000}) {
  return notes_on(config, facts_of(dims));
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

Config with_cutoffs(const std::string& mask, const std::vector<double>& cutoff, Index stride) {
  Config config = config_of(mask);
  config.input.sampling_rate = 500;
  config.stages[0].parameters.taps = 51;
  config.stages[0].parameters.cutoff = cutoff;
  config.stages[0].stride = {stride};
  return config;
}

TEST(StageNotes, AMaskAlongASinglePoint) {
  const std::string note = notes_on(config_of("1 2 1"), {1000, 1});
  EXPECT_TRUE(holds(note, "[stencil] runs along axis 1, which has a single point")) << note;
  EXPECT_TRUE(holds(note, "input.axis = 0")) << note;
  EXPECT_EQ(notes_on(config_of("1 2 1"), {1, 1000}), "");
  EXPECT_EQ(notes_on(config_of("1 2 1"), {1}), "");
  EXPECT_EQ(notes_on(config_of("3"), {1000, 1}), "");
  EXPECT_EQ(notes_on(config_of("laplace"), {1000, 1}), "");
}

TEST(StageNotes, EvenMasksStandHalfAPointAside) {
  const std::string note = notes_on(config_of("1 1"));
  EXPECT_TRUE(holds(note, "2 taps along axis 0")) << note;
  EXPECT_TRUE(holds(note, "half a point before the coordinate")) << note;
  Config turned = config_of("1 1");
  turned.stages[0].operation = Operation::convolve;
  EXPECT_TRUE(holds(notes_on(turned), "half a point after the coordinate")) << notes_on(turned);
  EXPECT_TRUE(holds(notes_on(config_of("1 -1")), "half a point"));
  // an upwind step, whose output is not centred
  EXPECT_EQ(notes_on(config_of("0.25 0.75")), "");
  EXPECT_EQ(notes_on(config_of("1 2 1")), "");
  const std::string rows = notes_on(config_of("1 1; 1 1; 1 1; 1 1"), {30, 40});
  EXPECT_TRUE(holds(rows, "4 taps along axis 0") && holds(rows, "2 taps along axis 1")) << rows;
}

TEST(StageNotes, FrequenciesThatAStrideFoldsDown) {
  const std::string note = notes_on(with_cutoffs("lowpass", {40}, 20));
  EXPECT_TRUE(holds(note, "stride = 20 leaves a sampling rate of 25")) << note;
  EXPECT_TRUE(holds(note, "up to 12.5") && holds(note, "up to 40")) << note;
  EXPECT_EQ(notes_on(with_cutoffs("lowpass", {12}, 20)), "");
  EXPECT_EQ(notes_on(with_cutoffs("lowpass", {40}, 1)), "");
  EXPECT_TRUE(holds(notes_on(with_cutoffs("bandpass", {5, 40}, 20)), "up to 40"));
  EXPECT_TRUE(holds(notes_on(with_cutoffs("highpass", {5}, 2)), "up to 250"));
}

TEST(StageNotes, FrequenciesFoldedByALaterStageCountThoseOfAllFiltersBefore) {
  Config config = with_cutoffs("lowpass", {40}, 1);
  config.stages.push_back(config.stages[0]);
  config.stages[1].name = "stencil.later";
  config.stages[1].parameters.cutoff = {10};
  config.stages[1].stride = {20};
  EXPECT_EQ(notes_on(config), "");
  config.stages[1] = config_of("1").stages[0];
  config.stages[1].stride = {20};
  EXPECT_TRUE(holds(notes_on(config), "up to 40"));
  config.stages[1].stride = {5};
  EXPECT_EQ(notes_on(config), "");
}

TEST(StageNotes, ABoundaryValueThatIsMissing) {
  Config config = config_of("1 2 1");
  config.stages[0].boundary = {BoundaryRule::constant};
  config.stages[0].boundary_value = -999;
  EXPECT_EQ(notes_on(config), "");
  config.missing.value = std::vector<ElementValue>{std::numeric_limits<double>::quiet_NaN(), -999};
  EXPECT_TRUE(holds(notes_on(config), "boundary_value = -999 is a missing value"))
      << notes_on(config);
  config.stages[0].boundary_value = 0;
  EXPECT_EQ(notes_on(config), "");
  // points beyond the edges are missing
  config.stages[0].boundary_value = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(notes_on(config), "");
}

TEST(StageNotes, ABoundaryValueIsComparedWithTheValueOfAPackedNumber) {
  DatasetFacts facts = facts_of({1000});
  facts.type = ElementType::int16;
  facts.is_packed = facts.reads_values = true;
  facts.scale_factor = 0.5;
  facts.add_offset = 100;
  Config config = config_of("1 2 1");
  config.stages[0].boundary = {BoundaryRule::constant};
  config.missing.value = std::vector<ElementValue>{-200};
  config.stages[0].boundary_value = 0;
  EXPECT_TRUE(holds(notes_on(config, facts), "boundary_value = 0 is a missing value"));
  config.stages[0].boundary_value = -200;
  EXPECT_FALSE(holds(notes_on(config, facts), "is a missing value"));
}

}  // namespace
}  // namespace stencil
