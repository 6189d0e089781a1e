#include "framework/grid/boundary.hpp"

#include <gtest/gtest.h>

#include <type_traits>

#include <string>

namespace stencil {
namespace {

/// The extension of `abcd...` by eight points on either side; `-` means the constant.
std::string extended(BoundaryRule rule, Index extent) {
  std::string text;
  for (Index i = -8; i < extent + 8; ++i) {
    const auto source = source_index(rule, i, extent);
    text += source ? static_cast<char>('a' + *source) : '-';
  }
  return text;
}

/// A Boundary can be made from one rule, which applies to all axes, but not from two rules.
template <class... Values>
concept MakesABoundary = requires(Values... values) {
  Boundary{values...};
};
static_assert(MakesABoundary<BoundaryRule>);
static_assert(MakesABoundary<BoundaryRule, double>);
static_assert(MakesABoundary<BoundaryRule, BoundaryRule, BoundaryRule, double>);
static_assert(!MakesABoundary<BoundaryRule, BoundaryRule>);
static_assert(!MakesABoundary<double>);
static_assert(!MakesABoundary<std::array<BoundaryRule, axes>, double>);
static_assert(!std::is_aggregate_v<Boundary>);

TEST(Boundary, ARuleMeansEveryAxis) {
  constexpr BoundaryRule wrap = BoundaryRule::wrap, nearest = BoundaryRule::nearest;
  const auto rules = [](const Boundary& boundary) { return boundary.rule; };
  EXPECT_EQ(rules(wrap), (std::array{wrap, wrap, wrap}));
  EXPECT_EQ(rules({wrap}), (std::array{wrap, wrap, wrap}));
  const Boundary constant{BoundaryRule::constant, 5}, apart{wrap, nearest, wrap};
  EXPECT_EQ(constant.value, 5);
  EXPECT_EQ(constant.rule[x_axis], BoundaryRule::constant);
  EXPECT_EQ(apart.rule[y_axis], nearest);
  EXPECT_EQ(Boundary().rule[batch_axis], BoundaryRule::reflect);
}

TEST(Boundary, ExtendsAsScipyDocuments) {
  EXPECT_EQ(extended(BoundaryRule::reflect, 4),
            "abcddcba"
            "abcd"
            "dcbaabcd");
  EXPECT_EQ(extended(BoundaryRule::mirror, 4),
            "cbabcdcb"
            "abcd"
            "cbabcdcb");
  EXPECT_EQ(extended(BoundaryRule::nearest, 4),
            "aaaaaaaa"
            "abcd"
            "dddddddd");
  EXPECT_EQ(extended(BoundaryRule::wrap, 4),
            "abcdabcd"
            "abcd"
            "abcdabcd");
  EXPECT_EQ(extended(BoundaryRule::constant, 4),
            "--------"
            "abcd"
            "--------");
}

TEST(Boundary, FoldsManyTimesOverShortAxes) {
  EXPECT_EQ(extended(BoundaryRule::reflect, 3),
            "baabccba"
            "abc"
            "cbaabccb");
  EXPECT_EQ(extended(BoundaryRule::mirror, 2),
            "abababab"
            "ab"
            "abababab");
  EXPECT_EQ(extended(BoundaryRule::wrap, 3),
            "bcabcabc"
            "abc"
            "abcabcab");
}

TEST(Boundary, OnePointRepeats) {
  for (BoundaryRule rule :
       {BoundaryRule::reflect, BoundaryRule::mirror, BoundaryRule::nearest, BoundaryRule::wrap})
    EXPECT_EQ(extended(rule, 1), std::string(17, 'a')) << to_string(rule);
}

}  // namespace
}  // namespace stencil
