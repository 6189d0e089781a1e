#include "kernels/generated/step_source.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "kernels/generated/nvrtc.hpp"

namespace stencil::generated {
namespace {

StepMask mask_of(int element, int height, int width, double share_of_zeros, std::mt19937& random) {
  std::bernoulli_distribution zero(share_of_zeros);
  std::vector<double> taps;
  for (int k = 0; k < height * width; ++k) taps.push_back(zero(random) ? 0 : 1);
  taps[0] = 1;
  return *direct_step_mask(element, height, width, taps, false);
}

TEST(StepSource, NamesWhatTheKernelIsMadeFor) {
  const StepMask mask = *direct_step_mask<float>(4, 3, 3, {0, 1, 0, 1, 1, 1, 0, 1, 0}, false);
  const StepWalk walk = make_step_walk(mask, 5);
  const std::string source = step_walk_source(mask, walk);
  EXPECT_NE(source.find("using T = float;"), std::string::npos);
  EXPECT_NE(source.find("height = 3, width = 3, taps = 5;"), std::string::npos);
  EXPECT_NE(source.find("{-1, 0, -1},\n    {1, 2, 3},\n    {-1, 4, -1}"), std::string::npos);
  EXPECT_NE(source.find(fmt::format("depth = 5, levels = {}", walk.levels)), std::string::npos);
  EXPECT_NE(source.find("step_walk("), std::string::npos);
  const std::string tiles = step_tiles_source(mask);
  EXPECT_NE(tiles.find("step_tiles("), std::string::npos);
  EXPECT_EQ(tiles.find("depth ="), std::string::npos) << "any number of steps";
}

void expect_compiles(const std::string& source, const char* kernel, const std::string& words) {
  const Compilation made = Nvrtc::find()->compile(source, kernel, "sm_90");
  ASSERT_FALSE(made.code.empty()) << words << made.log;
  const Resources used = resources_of(made.log);
  EXPECT_GT(used.registers, 16) << words;
  EXPECT_LE(used.spilled, 32) << words << made.log;
}

/// Compiles kernels of several steps, without a GPU. `STENCIL_GENERATED_MASKS` is the number of
/// random masks (default: a few).
TEST(StepSource, CompilesForAnyMaskWithoutSpills) {
  if (Nvrtc::find() == nullptr) GTEST_SKIP() << "libnvrtc cannot be loaded here";
  const char* const wanted = std::getenv("STENCIL_GENERATED_MASKS");
  const int masks = wanted == nullptr ? 4 : std::atoi(wanted);
  std::mt19937 random(17);
  for (int k = 0; k < masks; ++k) {
    const int element = k % 2 == 0 ? 4 : 8;
    const auto side = [&] { return 1 + 2 * int(random() % 5); };
    StepMask mask = mask_of(element, side(), side(), 0.1 * double(random() % 9), random);
    if (k % 4 == 3)
      mask = *separable_step_mask(element, std::vector<double>(std::size_t(side()), 1),
                                  std::vector<double>(std::size_t(side()), 1), true);
    const int depth = 1 + int(random() % unsigned(deepest_sweep(mask)));
    const std::string words =
        fmt::format("{}x{} of {} multiply-adds, {} bytes, {} steps: ", mask.height, mask.width,
                    mask.adds(), element, depth);
    expect_compiles(step_walk_source(mask, make_step_walk(mask, depth)), step_walk_kernel, words);
    expect_compiles(step_tiles_source(mask), step_tiles_kernel, "tiles of " + words);
  }
}

}  // namespace
}  // namespace stencil::generated
