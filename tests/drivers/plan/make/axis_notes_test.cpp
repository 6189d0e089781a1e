#include "drivers/plan/make/axis_notes.hpp"

#include <gtest/gtest.h>

#include "drivers/plan/make/make_problem.hpp"
#include "tests/support/plan_words.hpp"

namespace stencil {
namespace {

using testing::config_of;
using testing::facts_of;
using testing::with_axes;

/// The notes of a plan as one text.
std::string notes_on(const Config& config, const DatasetFacts& facts) {
  std::string all;
  for (const std::string& note : make_problem(config, facts, {}, 1).notes) all += note + "\n";
  return all;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

TEST(AxisNotes, ColoursThatAMaskMixesByDefault) {
  const DatasetFacts image = facts_of({480, 640, 3});
  for (const char* mask : {"laplace", "sobel", "0 1 0; 1 4 1; 0 1 0"}) {
    const std::string note = notes_on(config_of(mask), image);
    EXPECT_TRUE(holds(note, "axis 2, which has 3 points")) << mask << ": " << note;
    EXPECT_TRUE(holds(note, "write axes = 0 1 to leave it out, or axes = 1 2 if")) << note;
    EXPECT_EQ(notes_on(with_axes(mask, {0, 1}), image), "");
    EXPECT_EQ(notes_on(with_axes(mask, {1, 2}), image), "");  // the user has set `axes`
  }
  const std::string line = notes_on(config_of("1 2 1"), image);
  EXPECT_TRUE(holds(line, "axes = 1 to leave")) << line;
  Config along = config_of("1 2 1");
  along.stages[0].axis = 2;
  EXPECT_EQ(notes_on(along, image), "");
  EXPECT_TRUE(holds(notes_on(config_of("laplace"), facts_of({1000, 4})), "axis 1, which has 4"));
}

TEST(AxisNotes, TheAxesThatRemain) {
  const DatasetFacts image = facts_of({4, 480, 640, 3});
  EXPECT_EQ(reason_against(image, 1), "");
  EXPECT_NE(reason_against(image, 3), "");
  EXPECT_EQ(axes_with_neighbours(image, 2), (std::vector<int>{1, 2}));
  EXPECT_EQ(axes_with_neighbours(facts_of({1, 50, 3}), 2), (std::vector<int>{1}));
}

TEST(AxisNotes, NothingWhereNoColoursAreMixed) {
  EXPECT_EQ(notes_on(config_of("laplace"), facts_of({3, 480, 640})), "");
  EXPECT_EQ(notes_on(config_of("laplace"), facts_of({3, 4})), "");
  EXPECT_EQ(notes_on(config_of("laplace"), facts_of({480, 5})), "");
  EXPECT_EQ(notes_on(config_of("1 4 1;"), facts_of({3, 640})), "");  // a single row
  DatasetFacts times = facts_of({640, 3});
  times.time_source = {"dimension scale /time", ""};
  EXPECT_EQ(notes_on(config_of("1 2 1"), times), "");
}

TEST(AxisNotes, AxesThatAreNoCoordinatesByTheirNameOrTheirScale) {
  DatasetFacts facts = facts_of({50, 60, 70});
  facts.axis_names = {"time", "lat", "Station"};
  const std::string named = notes_on(config_of("laplace"), facts);
  EXPECT_TRUE(holds(named, "axis 2, which the file names Station")) << named;
  EXPECT_TRUE(holds(named, "axes = 0 1")) << named;
  facts.axis_names = {"", "", "name"};
  EXPECT_EQ(notes_on(config_of("laplace"), facts), "");
  facts.text_scale = {"", "/name", ""};
  const std::string texts = notes_on(config_of("laplace"), facts);
  EXPECT_TRUE(holds(texts, "axis 1, whose coordinates are texts (/name)")) << texts;
  EXPECT_TRUE(holds(texts, "axes = 0 2")) << texts;
}

}  // namespace
}  // namespace stencil
