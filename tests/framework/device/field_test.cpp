#include "framework/device/field.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/device/cpu/cpu_executor.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

static_assert(std::is_same_v<decltype(std::declval<Field<float>&>().owned()), FieldView<float>>);
static_assert(
    std::is_same_v<decltype(std::declval<const Field<float>&>().owned()), FieldView<const float>>);
static_assert(std::is_same_v<decltype(rectangle_of(FieldView<const float>{})), ConstRectangle>);
static_assert(!std::is_convertible_v<ConstRectangle, Rectangle>);

TEST(Field, OwnedRowsStartOnACacheLine) {
  CpuExecutor executor;
  for (Index low : {0, 1, 5, 16, 17}) {
    const Field<float> field(executor, {{{0, 0, 0}, {2, 3, 10}}, {{0, 1, low}, {0, 2, 3}}});
    for (Index b = 0; b < 2; ++b)
      for (Index y = 0; y < 3; ++y)
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&field.owned().at(b, y, 0)) % 64, 0u);
    EXPECT_EQ(field.ghosted().extent, (Point{2, 6, 13 + low}));
    EXPECT_EQ(&field.window({{1, -1, -low}, {2, 0, 1}}).at(0, 0, 0), &field.ghosted().at(1, 0, 0));
  }
}

TEST(Field, ThatWasMovedFromIsEmptyAndSaysSo) {
  CpuExecutor executor;
  Field<float> first(executor, {{{0, 0, 0}, {2, 3, 10}}, {{0, 1, 1}, {0, 1, 1}}});
  EXPECT_FALSE(first.was_moved());
  Field<float> second = std::move(first);
  EXPECT_TRUE(first.was_moved());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.subdomain(), Subdomain{});
  EXPECT_EQ(first.ghosted().data, nullptr);
  EXPECT_EQ(first.owned().extent, Point{});
  EXPECT_FALSE(second.was_moved());
  EXPECT_EQ(second.owned().extent, (Point{2, 3, 10}));
  first = std::move(second);
  EXPECT_FALSE(first.was_moved());
  EXPECT_TRUE(second.was_moved());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.owned().extent, (Point{2, 3, 10}));
}

TEST(Field, RefusesANegativeHalo) {
  CpuExecutor executor;
  const Subdomain wrong{{{0, 0, 0}, {2, 3, 10}}, {{0, -1, 0}, {}}};
  try {
    const Field<float> field(executor, wrong);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(), "halo.low has -1 ghosts along y: use 0 or more");
  }
  float one = 0;
  EXPECT_THROW(Field<float>::adopt(wrong, {&one, {2, 2, 10}, 20, 10}), ShapeError);
}

TEST(Field, RefusesToAdoptNothing) {
  EXPECT_THROW(Field<float>::adopt({{{0, 0, 0}, {2, 3, 10}}, {}}, {nullptr, {2, 3, 10}, 30, 10}),
               ShapeError);
}

TEST(Field, OfARankWithoutPointsIsEmpty) {
  CpuExecutor executor;
  const Field<double> field(executor, {{}, {{1, 1, 1}, {1, 1, 1}}});
  EXPECT_EQ(points(field.ghosted().extent), 0);
}

const Subdomain adopted_subdomain{{{0, 2, 5}, {2, 5, 15}}, {{0, 1, 2}, {0, 2, 3}}};
constexpr Point adopted_extent{2, 6, 15};

/// Points in the middle of a longer array, without any alignment, with guards between rows and
/// batches.
struct Buffer {
  static constexpr Index row_pitch = 17, batch_pitch = 7 * row_pitch, lead = 3;
  static constexpr float guard = -77;

  std::vector<float> values = std::vector<float>(2 * batch_pitch + 2 * lead, guard);
  FieldView<float> view() { return {values.data() + lead, adopted_extent, batch_pitch, row_pitch}; }
};

TEST(Field, AdoptsMemoryThatTheCallerKeeps) {
  CpuExecutor executor;
  Buffer buffer;
  buffer.view().at(1, 5, 14) = 4;  // the last ghost point
  {
    auto adopted = Field<float>::adopt(adopted_subdomain, buffer.view());
    Field<float> moved = std::move(adopted);
    EXPECT_EQ(moved.ghosted().at(1, 5, 14), 4);
    EXPECT_EQ(moved.owned().data, &buffer.view().at(0, 1, 2));
    EXPECT_EQ(moved.owned().extent, (Point{2, 3, 10}));
    EXPECT_EQ(&moved.window({{1, 1, 3}, {2, 2, 4}}).at(0, 0, 0), &buffer.view().at(1, 0, 0));
    const float one = 1;
    executor.fill(rectangle_of(moved.owned()), &one, sizeof one);
  }
  float sum = 0;
  Index guards = 0;
  for (const float value : buffer.values)
    value == Buffer::guard ? void(++guards) : void(sum += value);
  EXPECT_EQ(sum, 2 * 3 * 10 + 4);
  EXPECT_EQ(guards, std::ssize(buffer.values) - 2 * 3 * 10 - 1);
}

TEST(Field, AdoptsNoMemoryOfAnotherShape) {
  Buffer buffer;
  FieldView<float> view = buffer.view();
  view.extent[2] -= 1;
  EXPECT_THROW(Field<float>::adopt(adopted_subdomain, view), ShapeError);
  view = buffer.view();
  view.row_pitch = adopted_extent[2] - 1;
  EXPECT_THROW(Field<float>::adopt(adopted_subdomain, view), ShapeError);
  view = buffer.view();
  view.batch_pitch = 5 * Buffer::row_pitch + adopted_extent[2] - 1;
  EXPECT_THROW(Field<float>::adopt(adopted_subdomain, view), ShapeError);
  view.batch_pitch += 1;
  EXPECT_NO_THROW(Field<float>::adopt(adopted_subdomain, view));
}

}  // namespace
}  // namespace stencil
