#include "framework/device/span_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace stencil {
namespace {

TEST(SpanLog, RecordsNestedSpansOfEveryThread) {
  const SpanLog log(100);
  {
    const RecordedSpan outer("outer");
    const RecordedSpan inner("inner", "row");
  }
  std::thread([] { const RecordedSpan other("other"); }).join();
  const std::vector<SpanLog::Span> spans = log.spans();
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

TEST(SpanLog, KeepsTheFirstSpansAndCountsTheRest) {
  const SpanLog log(2);
  for (const char* name : {"a", "b", "c", "d", "e"}) const RecordedSpan span(name);
  EXPECT_EQ(log.spans().size(), 2u);
  EXPECT_EQ(log.spans().back().name, "b");
  EXPECT_EQ(log.left_out(), 3u);
}

TEST(SpanLog, IsOneAtATimeAndNothingIsRecordedWithoutIt) {
  EXPECT_EQ(SpanLog::current(), nullptr);
  { const RecordedSpan span("before"); }
  std::optional<SpanLog> log(std::in_place, 10);
  EXPECT_EQ(SpanLog::current(), &*log);
  EXPECT_THROW(SpanLog(10), std::logic_error);
  EXPECT_TRUE(log->spans().empty());
  log.reset();
  EXPECT_EQ(SpanLog::current(), nullptr);
}

}  // namespace
}  // namespace stencil
