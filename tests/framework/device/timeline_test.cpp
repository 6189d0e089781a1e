#include "framework/device/timeline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace stencil {
namespace {

TEST(Timeline, RecordsNestedSpansOfEveryThread) {
  const Timeline timeline(100);
  {
    const RecordedSpan outer("outer");
    const RecordedSpan inner("inner", "row");
  }
  std::thread([] { const RecordedSpan other("other"); }).join();
  const std::vector<Timeline::Span> spans = timeline.spans();
  ASSERT_EQ(spans.size(), 3u);
  EXPECT_EQ(spans[0].name, "inner");
  EXPECT_EQ(spans[0].row, "row");
  EXPECT_EQ(spans[1].name, "outer");
  EXPECT_EQ(spans[0].thread, 0);
  EXPECT_EQ(spans[2].thread, 1);
  EXPECT_GE(spans[0].begin, spans[1].begin);
  EXPECT_LE(spans[0].end, spans[1].end);
  EXPECT_LE(spans[1].end, spans[2].end);
  EXPECT_GE(spans[1].begin, 0);
}

TEST(Timeline, KeepsTheFirstSpansAndCountsTheRest) {
  const Timeline timeline(2);
  for (const char* name : {"a", "b", "c", "d", "e"}) const RecordedSpan span(name);
  EXPECT_EQ(timeline.spans().size(), 2u);
  EXPECT_EQ(timeline.spans().back().name, "b");
  EXPECT_EQ(timeline.left_out(), 3u);
}

TEST(Timeline, IsOneAtATimeAndNothingIsRecordedWithoutIt) {
  EXPECT_EQ(Timeline::current(), nullptr);
  { const RecordedSpan span("before"); }
  std::optional<Timeline> timeline(std::in_place, 10);
  EXPECT_EQ(Timeline::current(), &*timeline);
  EXPECT_THROW(Timeline(10), std::logic_error);
  EXPECT_TRUE(timeline->spans().empty());
  timeline.reset();
  EXPECT_EQ(Timeline::current(), nullptr);
}

}  // namespace
}  // namespace stencil
