#include "kernels/bind/limits.hpp"

#include <gtest/gtest.h>

#include "framework/device/device_facts.hpp"
#include "framework/device/make_executor.hpp"

namespace stencil {
namespace {

void expect_plausible(const Limits& limits) {
  EXPECT_GT(limits.copy_bytes_per_second, 1e8);
  EXPECT_LT(limits.copy_bytes_per_second, 1e14);
  EXPECT_GT(limits.multiply_adds_per_second, 1e8);
  EXPECT_LT(limits.multiply_adds_per_second, 1e15);
}

TEST(Limits, OfTheProcessor) {
  const auto executor = make_executor(Backend::cpu, 0);
  expect_plausible(measure_limits<float>(*executor));
  expect_plausible(measure_limits<double>(*executor));
}

/// The limits of a GPU are not those of the host's processor.
TEST(Limits, OfTheGpu) {
  if (gpu_facts().empty()) GTEST_SKIP() << "no GPU here, or a CPU-only build";
  const auto cpu = make_executor(Backend::cpu, 0), gpu = make_executor(Backend::cuda, 0);
  const Limits of_gpu = measure_limits<float>(*gpu);
  expect_plausible(of_gpu);
  EXPECT_GT(of_gpu.multiply_adds_per_second,
            2 * measure_limits<float>(*cpu).multiply_adds_per_second);
  EXPECT_GT(of_gpu.multiply_adds_per_second, measure_limits<double>(*gpu).multiply_adds_per_second);
}

}  // namespace
}  // namespace stencil
