// Positions of files along the joined axis: gaps, overlaps, drifting clocks and leap seconds.
#include "io/read/timeline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "io/read/times.hpp"
#include "tests/io/scratch.hpp"

namespace stencil {
namespace {

using namespace testing;

constexpr Index second = 1'000'000'000;
constexpr double rate = 10;

/// Returns the facts of a part with 10 points per second that begins at a given time in seconds.
DatasetFacts part(const std::string& file, Index points, double first) {
  DatasetFacts facts;
  facts.file = file;
  facts.dataset = "/data";
  facts.dims = {points};
  facts.sampling_rate = {rate};
  const auto begin = static_cast<Nanoseconds>(first * 1e9 + 0.5);
  facts.times = TimeSpan{0, begin, begin + (points - 1) * second / 10, "clock"};
  return facts;
}

struct Words : JoinWords {
  Words(Overlap of_points, Clock of_times, Gaps of_gaps = Gaps::refuse) {
    overlap = of_points;
    clock = of_times;
    gaps = of_gaps;
  }
};

/// Returns the positions as text, with a letter for each part: `a 0:10 at 0, b 2:10 at 10`.
std::string places(const std::vector<DatasetFacts>& parts, const JoinWords& words = {}) {
  std::string text;
  for (const TimelinePiece& piece : timeline_of(parts, 0, rate, words).pieces)
    text += fmt::format("{}{} {}:{} at {}", text.empty() ? "" : ", ",
                        static_cast<char>('a' + piece.part), piece.first, piece.first + piece.count,
                        piece.place);
  return text;
}

std::string notes(const std::vector<DatasetFacts>& parts, const JoinWords& words) {
  return fmt::format("{}", fmt::join(timeline_of(parts, 0, rate, words).notes, "; "));
}

std::string refusal(const std::vector<DatasetFacts>& parts, const JoinWords& words = {}) {
  return thrown_by([&] { timeline_of(parts, 0, rate, words); }).message;
}

bool holds(const std::string& text, const std::string& what) {
  return text.find(what) != text.npos;
}

/// Returns parts each of which begins 0.03 s (0.3 points) later than expected from the points of
/// the part before it.
std::vector<DatasetFacts> late_files(double late = 0.03) {
  std::vector<DatasetFacts> parts;
  for (int k = 0; k < 5; ++k)
    parts.push_back(part(std::string(1, static_cast<char>('a' + k)), 10, 100 + k * (1 + late)));
  return parts;
}

TEST(Timeline, DriftThatAddsUpIsAGapByTheClockOfTheFiles) {
  EXPECT_TRUE(holds(refusal(late_files()), "the clocks of the files drift: c begins 0.06 s later"))
      << refusal(late_files());
  EXPECT_TRUE(holds(refusal(late_files()), "input.clock = first"));
  const Words fill(Overlap::refuse, Clock::files, Gaps::fill);
  EXPECT_EQ(places(late_files(), fill),
            "a 0:10 at 0, b 0:10 at 10, c 0:10 at 21, d 0:10 at 31, e 0:10 at 41");
  EXPECT_TRUE(holds(notes(late_files(), fill), "drift")) << notes(late_files(), fill);
  EXPECT_EQ(places({late_files()[0], late_files()[1]}), "a 0:10 at 0, b 0:10 at 10");
}

TEST(Timeline, TimesThatAFileLeavesOutAreNoDrift) {
  std::vector<DatasetFacts> parts{part("a", 10, 0), part("b", 10, 3)};
  parts[0].times->last += 2 * second;
  EXPECT_TRUE(holds(refusal(parts), "the clocks of the files drift: b begins 2 s later"));
  parts[0].holes = {{0, 4, 15}, {0, 6, 5}};
  EXPECT_TRUE(holds(refusal(parts), "15 points are missing inside a before point 4"));
  EXPECT_EQ(places(parts, Words(Overlap::refuse, Clock::files, Gaps::fill)),
            "a 0:4 at 0, a 4:6 at 19, a 6:10 at 26, b 0:10 at 30");
  parts[0].holes[0].axis = 1;
  parts[0].holes.pop_back();
  EXPECT_TRUE(holds(refusal(parts), "drift"));
}

TEST(Timeline, DriftTheOtherWayIsAnOverlap) {
  EXPECT_TRUE(holds(refusal(late_files(-0.03)), "0.06 s earlier")) << refusal(late_files(-0.03));
  EXPECT_TRUE(holds(refusal(late_files(-0.03)), "input.overlap = first"));
  EXPECT_EQ(places(late_files(-0.03), Words(Overlap::first, Clock::files)),
            "a 0:10 at 0, b 0:10 at 10, c 1:10 at 20, d 0:10 at 29, e 0:10 at 39");
}

TEST(Timeline, TheFirstClockCountsPointsAndTheDriftIsNoted) {
  const Words words(Overlap::refuse, Clock::first);
  EXPECT_EQ(places(late_files(), words),
            "a 0:10 at 0, b 0:10 at 10, c 0:10 at 20, d 0:10 at 30, e 0:10 at 40");
  EXPECT_TRUE(holds(notes(late_files(), words), "e begins 0.12 s later than the clock of a"))
      << notes(late_files(), words);
  EXPECT_EQ(notes({late_files()[0], late_files()[1]}, words), "");
  std::vector<DatasetFacts> parts = late_files();
  parts[3] = part("d", 10, 103.09 + 0.5);  // gaps between neighbouring files are still found
  EXPECT_TRUE(holds(refusal(parts, words), "s are missing between c and d"));
}

TEST(Timeline, PointsOfSeveralFilesAreTakenFromTheFirstOrTheLast) {
  const std::vector<DatasetFacts> parts{part("a", 20, 0), part("b", 20, 1.5)};
  EXPECT_TRUE(holds(refusal(parts), "a and b overlap by 0.5 s")) << refusal(parts);
  EXPECT_TRUE(holds(refusal(parts), "input.overlap = first or last"));
  EXPECT_EQ(places(parts, Words(Overlap::first, Clock::files)), "a 0:20 at 0, b 5:20 at 20");
  EXPECT_EQ(places(parts, Words(Overlap::last, Clock::files)), "a 0:15 at 0, b 0:20 at 15");
  EXPECT_TRUE(holds(notes(parts, Words(Overlap::last, Clock::first)),
                    "overlap by 5 points along axis 0: those of the later file are taken"));
}

TEST(Timeline, AFileWithinAnotherOne) {
  const std::vector<DatasetFacts> parts{part("a", 40, 0), part("b", 10, 1), part("c", 10, 4)};
  EXPECT_EQ(places(parts, Words(Overlap::first, Clock::files)), "a 0:40 at 0, c 0:10 at 40");
  for (const Clock clock : {Clock::files, Clock::first})
    EXPECT_EQ(places(parts, Words(Overlap::last, clock)),
              "a 0:10 at 0, b 0:10 at 10, a 20:40 at 20, c 0:10 at 40");
  const std::vector<DatasetFacts> twice{part("a", 20, 0), part("b", 10, 0)};
  EXPECT_EQ(places(twice, Words(Overlap::last, Clock::files)), "b 0:10 at 0, a 10:20 at 10");
}

TEST(Timeline, AFileInAGapOfOthers) {
  const std::vector<DatasetFacts> parts{part("a", 10, 0), part("b", 30, 0.5), part("c", 10, 5)};
  const Words words(Overlap::first, Clock::files, Gaps::fill);
  EXPECT_EQ(places(parts, words), "a 0:10 at 0, b 5:30 at 10, c 0:10 at 50");
}

TEST(Timeline, ALeapSecondIsNoOverlap) {
  const double new_year = 1'483'228'800;  // 2017-01-01T00:00:00 UTC
  // 61 s of points; the next file begins at 00:00:00 and not at 00:00:01
  const std::vector<DatasetFacts> parts{part("a", 610, new_year - 60), part("b", 600, new_year),
                                        part("c", 600, new_year + 60)};
  for (const Clock clock : {Clock::files, Clock::first}) {
    const Words words(Overlap::refuse, clock);
    EXPECT_EQ(places(parts, words), "a 0:610 at 0, b 0:600 at 610, c 0:600 at 1210");
    EXPECT_TRUE(holds(notes(parts, words), "a leap second lies between a and b"));
    EXPECT_FALSE(holds(notes(parts, words), "drift")) << notes(parts, words);
  }
  // a file that begins within the leap second
  EXPECT_EQ(places({part("a", 600, new_year - 60), part("b", 600, new_year),
                    part("c", 600, new_year + 59)}),
            "a 0:600 at 0, b 0:600 at 600, c 0:600 at 1200");
  const std::vector<DatasetFacts> a_day_later{part("a", 610, new_year + 86400 - 60),
                                              part("b", 600, new_year + 86400)};
  EXPECT_TRUE(holds(refusal(a_day_later), "overlap by 1 s"));
  std::vector<DatasetFacts> of_gps = parts;
  for (DatasetFacts& facts : of_gps) facts.times->calendar = "gps";
  EXPECT_TRUE(holds(refusal(of_gps), "overlap by 1 s"));
  EXPECT_TRUE(holds(refusal({part("a", 630, new_year - 60), part("b", 600, new_year)}), "by 3 s"));
}

TEST(Timeline, WithoutARateOnlyTheOrderIsChecked) {
  const std::vector<DatasetFacts> parts{part("a", 10, 0), part("b", 10, 5)};
  EXPECT_EQ(timeline_of(parts, 0, 0, {}).pieces[1].place, 10);
  const std::vector<DatasetFacts> shared{part("a", 10, 0), part("b", 10, 0.5)};
  const std::string said =
      thrown_by([&] { timeline_of(shared, 0, 0, Words(Overlap::first, Clock::files)); }).message;
  EXPECT_TRUE(holds(said, "without a known sampling rate")) << said;
}

}  // namespace
}  // namespace stencil
