#include "framework/grid/nearest.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(Nearest, EditDistances) {
  EXPECT_EQ(edit_distance("sigma", "sigma"), 0u);
  EXPECT_EQ(edit_distance("sgima", "sigma"), 1u) << "neighbours swapped";
  EXPECT_EQ(edit_distance("sigm", "sigma"), 1u);
  EXPECT_EQ(edit_distance("ssigma", "sigma"), 1u);
  EXPECT_EQ(edit_distance("sigmo", "sigma"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("a cat", "an abct"), 4u) << "a swap is of neighbours that stay so";
  EXPECT_EQ(nearest("Sigma", {"size", "sigma"}), "sigma");
  EXPECT_EQ(nearest("colour", {"size", "sigma"}), "");
  EXPECT_EQ(nearest("gauss", {"box", "gaussian"}), "gaussian");
  EXPECT_EQ(nearest("sobel_x", {"box", "sobel"}), "sobel");
  EXPECT_EQ(nearest("low", {"lowpass", "lowpasses"}), "lowpass");
  EXPECT_EQ(nearest("ga", {"box", "gaussian"}), "") << "two letters begin too many words";
}

}  // namespace
}  // namespace stencil
