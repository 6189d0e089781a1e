// The mask that is made from the configuration of a stage, with checks of every axis.
#include "drivers/plan/make/stage_mask.hpp"

#include <functional>
#include <set>

#include "drivers/config/mask_words.hpp"
#include "kernels/families/family_table.hpp"
#include "kernels/families/mask_families.hpp"
#include "tests/drivers/config/config_words.hpp"

namespace stencil {
namespace {

using Reals = std::vector<double>;

StageConfig stage_of(const std::string& mask) {
  StageConfig stage;
  stage.name = "stencil.one";
  stage.mask = read_mask(mask);
  return stage;
}

/// The data of masks that are made from files.
const MaskFiles templates{{"t.h5:/t", {.dims = {5}, .values = {1, 2, 3, 2, 1}}}};

StageMask mask_of(const StageConfig& stage, int rank, std::optional<int> input_axis = {},
                  const MaskFiles& files = {}) {
  return make_stage_mask(stage, rank, input_axis, rank - 1,
                         Reals(static_cast<std::size_t>(rank), 0), files);
}

void expect_refused(const std::function<void()>& action, const std::vector<std::string>& parts) {
  try {
    action();
    ADD_FAILURE() << "was accepted, but should have said " << parts.front();
  } catch (const WordsError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(test::printable_line(message)) << message;
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), message.npos) << part << "\nis not in\n" << message;
  }
}

TEST(StageMask, TapsOfTheWords) {
  const StageMask rows = mask_of(stage_of("1 2 1; 0 1 0;"), 3);
  EXPECT_EQ(rows.mask.rank, 2);
  EXPECT_EQ(rows.mask.taps.height, 2);
  EXPECT_EQ(rows.mask.taps.values, (Reals{1, 2, 1, 0, 1, 0}));
  EXPECT_EQ(rows.dataset_axes, (std::vector<int>{1, 2}));
  const StageMask row = mask_of(stage_of("1 2 1;"), 2);
  EXPECT_EQ(row.mask.rank, 2);
  EXPECT_EQ(row.mask.taps.height, 1);
  EXPECT_EQ(mask_of(stage_of("1 2 1"), 2).dataset_axes, (std::vector<int>{1}));
}

TEST(StageMask, MasksFromFiles) {
  const MaskFiles files{{"q:/z.h5:/s", {{3}, {1, 2, 3}}}, {"m.h5:/psf", {{1, 2}, {4, 5}}}};
  EXPECT_EQ(mask_of(stage_of("q:/z.h5:/s"), 1, {}, files).mask.taps.values, (Reals{1, 2, 3}));
  StageConfig stage = stage_of("m.h5:/psf");
  EXPECT_EQ(mask_of(stage, 2, {}, files).mask.rank, 2);
  stage.axis = 0;
  expect_refused([&] { mask_of(stage, 2, {}, files); }, {"[stencil.one] axis", "remove it"});
}

/// Distances whose powers are infinite or too near to 0 in float64, so that no taps can be
/// computed.
TEST(StageMask, PowersOfDeltaAreNumbers) {
  for (const auto& [delta, is] : {std::pair{1e-200, "is too near to 0"}, {1e200, "is infinite"}})
    for (const std::string mask : {"gaussian", "log", "laplace", "savgol"})
      for (const Index axes : {1, 2, 3}) {
        if (axes > 1 && mask == "savgol") continue;
        StageConfig stage = stage_of(mask);
        FamilyParameters& p = stage.parameters;
        p.sigma = {1};
        p.order = {mask == "gaussian" ? 2 : 0};
        p.size = {5};
        p.polyorder = 3;
        p.deriv = 2;
        p.delta = {delta};
        for (Index axis = 0; axis < axes; ++axis) stage.axes.push_back(static_cast<int>(axis));
        expect_refused([&] { mask_of(stage, 3); },
                       {"[stencil.one]", "to the power of 2", is, "nearer to 1"});
      }
}

TEST(StageMask, InputAxisIsCheckedForEveryMask) {
  for (const std::string mask : {"1 2 1", "1 2; 3 4", "laplace"}) {
    EXPECT_NO_THROW(mask_of(stage_of(mask), 2, 1)) << mask;
    EXPECT_NO_THROW(mask_of(stage_of(mask), 2, -2)) << mask;
    for (const int axis : {2, -3})
      expect_refused([&] { mask_of(stage_of(mask), 2, axis); },
                     {"input.axis = " + std::to_string(axis), "2 axes", "write -2 to 1"});
  }
  StageConfig stage = stage_of("1 2 1");
  stage.axis = 0;
  expect_refused([&] { mask_of(stage, 2, 5); }, {"input.axis = 5"});
  stage.axis = 5;
  expect_refused([&] { mask_of(stage, 1, 0); },
                 {"[stencil.one] axis = 5", "1 axis, write -1 to 0"});
}

TEST(StageMask, EveryFamilyOfTheTableIsMade) {
  for (const Family& family : all_families()) {
    StageConfig stage = test::parse_stage(test::lines_of(family));
    for (const int rank : {1, 2}) {
      if (rank == 2 && family.one_dimensional) continue;
      stage.rank = rank;
      const StageMask made = make_stage_mask(stage, 2, {}, 1, {1.0, 1.0}, templates);
      EXPECT_EQ(made.mask.rank, rank) << family.name;
      EXPECT_EQ(made.dataset_axes.size(), rank) << family.name;
      EXPECT_FALSE(made.mask.taps.values.empty()) << family.name;
    }
  }
}

TEST(StageMask, AnAxisThatIsNamedMakesAMaskAlongItAlone) {
  for (const Family& family : all_families()) {
    StageConfig stage = test::parse_stage(test::lines_of(family));
    stage.axis = 0;
    const StageMask made = make_stage_mask(stage, 2, {}, 1, {1.0, 1.0}, templates);
    const bool has_direction = family.across != nullptr;
    EXPECT_EQ(made.mask.rank, has_direction ? 2 : 1) << family.name;
    EXPECT_EQ(made.dataset_axes.front(), 0) << family.name;
  }
}

/// A mask as the text of a configuration, and made by a call of the library. The list has every
/// family, some of them for two axes and for the last axis alone.
struct Made {
  std::string words;
  Mask mask;
};
std::vector<Made> both_ways() {
  return {
      {"gaussian\nsigma = 2 3\norder = 0 1\ntruncate = 3",
       Mask::gaussian({.sigma = {2, 3}, .order = {0, 1}, .truncate = 3})},
      {"gaussian\nsigma = 2\nradius = 5\naxis = -1",
       Mask::gaussian({.sigma = 2, .radius = 5, .axis = x_axis})},
      {"box\nsize = 3 5", Mask::box({.size = {3, 5}})},
      {"binomial\nsize = 4", Mask::binomial({.size = 4})},
      {"disk\nradius = 2.5", Mask::disk({.radius = 2.5})},
      {"annulus\nradius = 3\ninner = 1", Mask::annulus({.radius = 3, .inner = 1})},
      {"log\nsigma = 1 2", Mask::log({.sigma = {1, 2}})},
      {"dog\nsigma = 1\nratio = 2", Mask::dog({.sigma = 1, .ratio = 2})},
      {"laplace", Mask::laplace()},
      {"laplace\naxis = -1", Mask::laplace(x_axis)},
      {"sobel\naxis = 0", Mask::sobel(y_axis)},
      {"prewitt\naxis = 1", Mask::prewitt(x_axis)},
      {"lowpass\ntaps = 8\ncutoff = 0.2",
       Mask::lowpass({.taps = 8, .cutoff = 0.2, .sampling_rate = 1})},
      {"highpass\ntaps = 9\ncutoff = 0.2\nwindow = hann",
       Mask::highpass({.taps = 9, .cutoff = 0.2, .sampling_rate = 1, .window = "hann"})},
      {"bandpass\ntaps = 9\ncutoff = 0.1 0.2",
       Mask::bandpass({.taps = 9, .cutoff = {0.1, 0.2}, .sampling_rate = 1})},
      {"bandstop\ntaps = 9\ncutoff = 0.1 0.2",
       Mask::bandstop({.taps = 9, .cutoff = {0.1, 0.2}, .sampling_rate = 1})},
      {"matched\ntemplate = t.h5:/t", Mask::matched({.pattern = {1, 2, 3, 2, 1}})},
      {"savgol\nsize = 7\npolyorder = 3\nderiv = 1\ndelta = 0.5",
       Mask::savgol({.size = 7, .polyorder = 3, .deriv = 1, .delta = 0.5})},
  };
}

TEST(StageMask, TheLibraryMakesTheMasksOfTheProgram) {
  std::set<std::string> names;
  for (const auto& [words, mask] : both_ways()) {
    names.insert(words.substr(0, words.find('\n')));
    const Mask made = make_stage_mask(test::parse_stage("mask = " + words + "\n"), 2, {}, 1,
                                      {1.0, 1.0}, templates)
                          .mask;
    EXPECT_EQ(made.rank, mask.rank) << words;
    EXPECT_EQ(made.axis, mask.axis) << words;
    EXPECT_EQ(made.centre, mask.centre) << words;
    EXPECT_EQ(made.multiply_zeros, mask.multiply_zeros) << words;
    EXPECT_EQ(made.taps.height, mask.taps.height) << words;
    EXPECT_EQ(made.taps.width, mask.taps.width) << words;
    EXPECT_EQ(made.taps.values, mask.taps.values) << words;
    ASSERT_EQ(made.factors.has_value(), mask.factors.has_value()) << words;
    if (!mask.factors) continue;
    EXPECT_EQ(made.factors->column, mask.factors->column) << words;
    EXPECT_EQ(made.factors->row, mask.factors->row) << words;
  }
  for (const Family& family : all_families())
    EXPECT_TRUE(names.contains(std::string(family.name))) << family.name;
}

}  // namespace
}  // namespace stencil
