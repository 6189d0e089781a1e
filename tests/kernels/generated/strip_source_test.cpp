#include "kernels/generated/strip_source.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <stdexcept>

#include "kernels/generated/nvrtc.hpp"

namespace stencil::generated {
namespace {

template <class T>
Stencil<T> stencil_of(Index height, Index width, double share_of_zeros, std::mt19937& random) {
  Stencil<T> stencil;
  stencil.multiply_zeros = share_of_zeros == 0;
  stencil.height = height, stencil.width = width;
  std::bernoulli_distribution zero(share_of_zeros);
  for (Index k = 0; k < height * width; ++k) stencil.taps.push_back(zero(random) ? 0 : T(k + 1));
  stencil.taps[0] = 1;
  return stencil;
}

TEST(StripSource, NamesWhatTheKernelIsMadeFor) {
  Stencil<float> stencil;
  stencil.height = 2, stencil.width = 3;
  stencil.multiply_zeros = false;
  stencil.taps = {0, 1.5F, 0, 2, 0, 7};
  const std::string source = strip_source(make_strip_spec(stencil, 3));
  EXPECT_NE(source.find("using T = float;"), std::string::npos);
  EXPECT_NE(source.find("height = 2, width = 3, taps = 3;"), std::string::npos);
  EXPECT_NE(source.find("{-1, 0, -1},\n    {1, -1, 2}"), std::string::npos)
      << source.substr(0, 400);
  EXPECT_NE(source.find("lead = 3;"), std::string::npos);
}

TEST(StripSource, DependsOnZerosAndNotOnTheOtherValues) {
  std::mt19937 random(3);
  Stencil<double> a = stencil_of<double>(5, 4, 0.3, random), b = a;
  for (double& tap : b.taps) tap *= -3;
  EXPECT_EQ(strip_source(make_strip_spec(a, 1)), strip_source(make_strip_spec(b, 1)));
  b.taps[0] = 0;
  EXPECT_NE(strip_source(make_strip_spec(a, 1)), strip_source(make_strip_spec(b, 1)));
  b.multiply_zeros = true;  // now all zeros are multiplied
  a.multiply_zeros = true;
  EXPECT_EQ(strip_source(make_strip_spec(a, 1)), strip_source(make_strip_spec(b, 1)));
}

TEST(StripSource, RefusesSpecificationsThatNoKernelHas) {
  std::mt19937 random(3);
  const StripSpec good = make_strip_spec(stencil_of<float>(3, 3, 0, random), 0);
  const auto refuses = [&](auto change) {
    StripSpec bad = good;
    change(bad);
    EXPECT_THROW(strip_source(bad), std::invalid_argument);
  };
  refuses([](StripSpec& s) { s.element = 2; });
  refuses([](StripSpec& s) { s.lead = 8; });
  refuses([](StripSpec& s) { s.multiplied.assign(9, false); });
  refuses([](StripSpec& s) { s.multiplied.pop_back(); });
  refuses([](StripSpec& s) { s.shape.ring = 1; });
  refuses([](StripSpec& s) { s.shape.unrolled = 3; });
}

/// Compiles the walks of masks of all kinds for GPUs of compute capability 8.0 and 9.0, without a
/// GPU. `STENCIL_GENERATED_MASKS` is the number of masks (default: 6).
TEST(StripSource, CompilesForAnyMaskWithoutSpills) {
  const Nvrtc* const compiler = Nvrtc::find();
  if (compiler == nullptr) GTEST_SKIP() << "libnvrtc cannot be loaded here";
  const char* const wanted = std::getenv("STENCIL_GENERATED_MASKS");
  const int masks = wanted == nullptr ? 6 : std::atoi(wanted);
  std::mt19937 random(11);
  const auto pick = [&](int most) { return Index(random() % unsigned(most)) + 1; };
  int compiled = 0;
  const auto compile = [&](const auto& stencil) {
    if (!has_strip_walk(stencil)) return;
    const int places = 32 / int(sizeof(stencil.taps[0]));
    const StripSpec spec = make_strip_spec(stencil, int(pick(places)) - 1);
    const char* const architecture = compiled++ % 3 == 0 ? "sm_80" : "sm_90";
    const Compilation made = compiler->compile(strip_source(spec), strip_walk_kernel, architecture);
    const std::string words =
        fmt::format("{}x{} of {} taps, {} bytes, {}, {}", spec.height, spec.width, spec.taps(),
                    spec.element, architecture, made.log);
    ASSERT_FALSE(made.code.empty()) << words;
    const Resources used = resources_of(made.log);
    EXPECT_GT(used.registers, 16) << words;
    EXPECT_LE(used.registers, 255) << words;
    EXPECT_EQ(used.spilled, 0) << words;
  };
  while (compiled < masks) {
    const int kind = int(random() % 4);
    const Index height = kind == 0 ? 1 : pick(kind == 1 ? 60 : 17);
    const Index width = kind == 1 ? 1 : pick(kind == 0 ? 70 : 17);
    const double zeros = random() % 2 == 0 ? 0 : 0.1 * double(random() % 9);
    if (random() % 2 == 0)
      compile(stencil_of<float>(height, width, zeros, random));
    else
      compile(stencil_of<double>(height, width, zeros, random));
  }
}

TEST(StripSource, IsTakenForDirectMasksThatFit) {
  std::mt19937 random(5);
  EXPECT_TRUE(has_strip_walk(stencil_of<float>(7, 5, 0, random)));
  EXPECT_TRUE(has_strip_walk(stencil_of<double>(13, 13, 0.8, random)));
  EXPECT_TRUE(has_strip_walk(stencil_of<float>(43, 1, 0, random)));
  EXPECT_FALSE(has_strip_walk(stencil_of<float>(101, 1, 0, random))) << "too many sums";
  EXPECT_FALSE(has_strip_walk(stencil_of<double>(21, 21, 0, random))) << "too many taps";
  Stencil<float> other = stencil_of<float>(7, 5, 0, random);
  other.stride = {1, 2};
  EXPECT_FALSE(has_strip_walk(other));
  other.stride = {1, 1};
  other.min_valid = 0.5;
  EXPECT_FALSE(has_strip_walk(other));
  Stencil<float> zeros = stencil_of<float>(3, 3, 0, random);
  zeros.taps.assign(9, 0);
  zeros.multiply_zeros = false;
  EXPECT_FALSE(has_strip_walk(zeros)) << "nothing is multiplied";
}

}  // namespace
}  // namespace stencil::generated
