#include "framework/grid/boundary.hpp"

#include <gtest/gtest.h>

#include <string>

namespace stencil {
namespace {

/// The extension of `abcd...` by eight points on either side, `-` where the rule gives a constant.
std::string extended(BoundaryRule rule, Index extent) {
  std::string text;
  for (Index i = -8; i < extent + 8; ++i) {
    const auto source = source_index(rule, i, extent);
    text += source ? static_cast<char>('a' + *source) : '-';
  }
  return text;
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
