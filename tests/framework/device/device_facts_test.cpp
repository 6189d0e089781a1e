#include "framework/device/device_facts.hpp"

#include <gtest/gtest.h>

namespace stencil {
namespace {

TEST(GpuFacts, DescribeEveryDeviceOnOneLine) {
  const auto facts = gpu_facts();
  if (facts.empty()) GTEST_SKIP() << "no GPU here, or a CPU-only build";
  for (const std::string& line : facts) {
    EXPECT_EQ(line.find('\n'), line.npos);
    EXPECT_NE(line.find("multiprocessors"), line.npos);
    EXPECT_NE(line.find("constant 64 KiB"), line.npos) << line;
  }
}

}  // namespace
}  // namespace stencil
