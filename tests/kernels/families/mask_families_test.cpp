// Masks by name, compared with the taps of SciPy's functions, and arguments that are refused.
#include "kernels/families/mask_families.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"
#include "kernels/families/families_firwin.hpp"
#include "kernels/families/families_matched.hpp"
#include "kernels/families/families_round.hpp"
#include "kernels/families/families_savgol.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;

void expect_outer(const Mask& mask, const List& column, const List& row) {
  EXPECT_EQ(mask.rank, 2);
  ASSERT_TRUE(mask.factors);
  EXPECT_EQ(mask.factors->column, column);
  EXPECT_EQ(mask.factors->row, row);
  EXPECT_EQ(mask.centre, (std::array<Index, 2>{std::ssize(column) / 2, std::ssize(row) / 2}));
  EXPECT_TRUE(mask.multiply_zeros);
}

void expect_grid(const Mask& mask, const Taps& taps) {
  EXPECT_EQ(mask.rank, 2);
  EXPECT_FALSE(mask.factors);
  EXPECT_EQ(mask.taps.height, taps.height);
  EXPECT_EQ(mask.taps.width, taps.width);
  EXPECT_EQ(mask.taps.values, taps.values);
  EXPECT_FALSE(mask.multiply_zeros);
}

void expect_line(const Mask& mask, const List& taps, Axis axis) {
  EXPECT_EQ(mask.rank, 1);
  EXPECT_EQ(mask.axis, axis);
  EXPECT_EQ(mask.taps.values, taps);
  EXPECT_EQ(mask.taps.height, axis == x_axis ? 1 : std::ssize(taps));
  EXPECT_EQ(mask.centre[axis == x_axis ? 1 : 0], std::ssize(taps) / 2);
}

TEST(MaskFamilies, OuterProducts) {
  expect_outer(Mask::gaussian({.sigma = 2}), gaussian_taps(2, 0, 4), gaussian_taps(2, 0, 4));
  expect_outer(Mask::gaussian({.sigma = {1, 2.5}, .order = {0, 1}, .truncate = 3}),
               gaussian_taps(1, 0, 3), gaussian_taps(2.5, 1, 3));
  expect_outer(Mask::gaussian({.sigma = 2, .radius = {3, 5}}), gaussian_taps_within(2, 0, 3),
               gaussian_taps_within(2, 0, 5));
  expect_outer(Mask::box({.size = {3, 4}}), List(3, 1.0 / 3), List(4, 0.25));
  expect_outer(Mask::binomial({.size = {3, 5}}), {0.25, 0.5, 0.25},
               {0.0625, 0.25, 0.375, 0.25, 0.0625});
  expect_outer(Mask::sobel(), {1, 2, 1}, {-1, 0, 1});
  expect_outer(Mask::sobel(y_axis), {-1, 0, 1}, {1, 2, 1});
  expect_outer(Mask::prewitt(y_axis), {-1, 0, 1}, {1, 1, 1});
}

TEST(MaskFamilies, DerivativesAreDividedByTheSpacing) {
  const auto divided = [](List taps, double divisor) {
    for (double& tap : taps) tap /= divisor;
    return taps;
  };
  expect_outer(Mask::gaussian({.sigma = 2, .order = {2, 0}, .delta = {-0.5, 3}}),
               divided(gaussian_taps(2, 2, 4), 0.25), gaussian_taps(2, 0, 4));
  expect_line(Mask::gaussian({.sigma = 2, .order = 1, .axis = y_axis, .delta = 0.5}),
              divided(gaussian_taps(2, 1, 4), 0.5), y_axis);
  expect_grid(Mask::log({.sigma = {1, 2}, .delta = {2, 4}}),
              laplacian_of_gaussian({1, 2}, {4, 8}, {4, 16}));
  expect_line(Mask::log({.sigma = 1, .axis = x_axis, .delta = 2}),
              divided(gaussian_taps(1, 2, 4), 4), x_axis);
  expect_grid(Mask::laplace({}, {0.5, 2}), {3, 3, {0, 4, 0, 0.25, -8.5, 0.25, 0, 4, 0}});
  expect_line(Mask::laplace(x_axis, 0.5), {4, -8, 4}, x_axis);
  expect_outer(Mask::sobel(x_axis, 0.5), {0.25, 0.5, 0.25}, {-1, 0, 1});
  expect_outer(Mask::sobel(y_axis, 1.0), {-0.5, 0, 0.5}, {0.25, 0.5, 0.25});
  expect_outer(Mask::prewitt(x_axis, -2.0), List(3, 1.0 / 3), {0.25, 0, -0.25});
}

TEST(MaskFamilies, Grids) {
  expect_grid(Mask::disk({.radius = 2.5}), ring_taps({0, 0}, {2.5, 2.5}));
  expect_grid(Mask::disk({.radius = {1, 3}}), ring_taps({0, 0}, {1, 3}));
  expect_grid(Mask::annulus({.radius = {4, 3}, .inner = 2}), ring_taps({2, 2}, {4, 3}));
  expect_grid(Mask::log({.sigma = {1, 2}, .truncate = 3}),
              laplacian_of_gaussian({1, 2}, {gaussian_radius(1, 3), gaussian_radius(2, 3)}));
  expect_grid(Mask::log({.sigma = 1, .radius = 6}), laplacian_of_gaussian({1, 1}, {6, 6}));
  expect_grid(Mask::dog({.sigma = {1, 2}, .ratio = 2, .truncate = 3}),
              difference_of_gaussians({1, 2}, 2, 3));
  expect_grid(Mask::laplace(), {3, 3, {0, 1, 0, 1, -4, 1, 0, 1, 0}});
}

TEST(MaskFamilies, Lines) {
  for (const Axis axis : {batch_axis, y_axis, x_axis}) {
    expect_line(Mask::gaussian({.sigma = 2, .order = 1, .axis = axis}), gaussian_taps(2, 1, 4),
                axis);
    expect_line(Mask::box({.size = 4, .axis = axis}), List(4, 0.25), axis);
    expect_line(Mask::binomial({.size = 2, .axis = axis}), {0.5, 0.5}, axis);
    expect_line(Mask::disk({.radius = 1.5, .axis = axis}), List(3, 1.0 / 3), axis);
    expect_line(Mask::annulus({.radius = 2, .inner = 1, .axis = axis}), {0.5, 0, 0, 0, 0.5}, axis);
    expect_line(Mask::log({.sigma = 2, .axis = axis}), gaussian_taps(2, 2, 4), axis);
    expect_line(Mask::dog({.sigma = 2, .axis = axis}), difference_of_gaussians(2, 1.6, 4), axis);
    expect_line(Mask::laplace(axis), {1, -2, 1}, axis);
    expect_line(Mask::lowpass({.taps = 8, .cutoff = 5, .sampling_rate = 50, .axis = axis}),
                firwin_taps(PassBand::lowpass, 8, {5}, "hamming", 50), axis);
    expect_line(Mask::highpass(
                    {.taps = 9, .cutoff = 5, .sampling_rate = 50, .window = "hann", .axis = axis}),
                firwin_taps(PassBand::highpass, 9, {5}, "hann", 50), axis);
    expect_line(Mask::bandpass({.taps = 9, .cutoff = {5, 9}, .sampling_rate = 50, .axis = axis}),
                firwin_taps(PassBand::bandpass, 9, {5, 9}, "hamming", 50), axis);
    expect_line(Mask::bandstop({.taps = 9, .cutoff = {5, 9}, .sampling_rate = 50, .axis = axis}),
                firwin_taps(PassBand::bandstop, 9, {5, 9}, "hamming", 50), axis);
    expect_line(Mask::matched({.pattern = {1, 2, -1}, .axis = axis}), matched_taps({1, 2, -1}, {}),
                axis);
    expect_line(Mask::matched({.pattern = {1, 2, -1}, .psd = {1, 3}, .axis = axis}),
                matched_taps({1, 2, -1}, {1, 3}), axis);
    expect_line(Mask::savgol({.size = 7, .polyorder = 3, .deriv = 1, .delta = 0.5, .axis = axis}),
                savgol_taps(7, 3, 1, 0.5), axis);
  }
}

TEST(MaskFamilies, RowsOfTaps) {
  expect_grid(Mask::grid({{1, 2, 3}, {4, 5, 6}}), {2, 3, {1, 2, 3, 4, 5, 6}});
  expect_grid(Mask::grid({{1}, {2}}), {2, 1, {1, 2}});
  EXPECT_EQ(Mask::grid({{1, 2, 3}, {4, 5, 6}}, {-1, 1}).centre, (std::array<Index, 2>{0, 2}));
}

void expect_refused(const std::function<void()>& make, const std::string& words) {
  try {
    make();
    ADD_FAILURE() << "was accepted, but should have said: " << words;
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(MaskFamilies, ArgumentsOutOfRangeAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refused([] { Mask::gaussian({.sigma = -1}); }, "sigma = -1");
  expect_refused([&] { Mask::gaussian({.sigma = {1, nan}}); }, "sigma = nan");
  expect_refused([] { Mask::gaussian({.sigma = 1, .order = -1}); }, "order = -1");
  expect_refused([] { Mask::gaussian({.sigma = 1, .order = 33}); }, "order = 33");
  expect_refused([] { Mask::gaussian({.sigma = 1, .truncate = 0}); }, "truncate = 0");
  expect_refused([] { Mask::gaussian({.sigma = 1, .radius = -2}); }, "radius = -2");
  expect_refused([] { Mask::gaussian({.sigma = 1, .radius = Index{1} << 40}); },
                 "radius = 1099511");
  expect_refused([] { Mask::gaussian({.sigma = {1, 2}, .axis = y_axis}); }, "sigma = {1, 2}");
  expect_refused([] { Mask::gaussian({.sigma = 1, .axis = static_cast<Axis>(3)}); }, "axis 3");
  expect_refused([] { Mask::box({.size = 0}); }, "size = 0");
  expect_refused([] { Mask::box({.size = {3, 5}, .axis = x_axis}); }, "size = {3, 5}");
  expect_refused([] { Mask::binomial({.size = -3}); }, "size = -3");
  expect_refused([&] { Mask::disk({.radius = nan}); }, "radius = nan");
  expect_refused([] { Mask::disk({.radius = {2, 0}}); }, "radius = 2 0");
  expect_refused([] { Mask::annulus({.radius = 2, .inner = -1}); }, "inner = -1");
  expect_refused([] { Mask::annulus({.radius = 2, .inner = 2}); }, "inner = 2");
  expect_refused([] { Mask::log({.sigma = 0}); }, "sigma = 0");
  expect_refused([] { Mask::dog({.sigma = 1, .ratio = 1}); }, "ratio = 1");
  expect_refused([] { Mask::laplace({}, 0); }, "delta = 0 to the power of 2 is too near to 0");
  expect_refused([] { Mask::laplace({}, 1e200); }, "delta = 1e+200 to the power of 2 is infinite");
  expect_refused([] { Mask::laplace(y_axis, {1, 2}); }, "delta = {1, 2} has two values");
  expect_refused([&] { Mask::sobel(x_axis, nan); }, "delta = nan to the power of 1 is NaN");
  expect_refused([] { Mask::sobel(batch_axis); }, "axis = batch");
  expect_refused([] { Mask::lowpass({.taps = 9, .cutoff = 30, .sampling_rate = 50}); },
                 "cutoff = 30");
  expect_refused([] { Mask::lowpass({.taps = 9, .cutoff = 3, .sampling_rate = 0}); },
                 "sampling rate of 0");
  expect_refused([] { Mask::highpass({.taps = 8, .cutoff = 3, .sampling_rate = 50}); }, "taps = 8");
  expect_refused(
      [] {
        Mask::bandpass({.taps = 9, .cutoff = {9, 5}, .sampling_rate = 50});
      },
      "cutoff = 9 5");
  expect_refused(
      [] {
        Mask::bandpass({.taps = 9, .cutoff = {5, 9}, .sampling_rate = 50, .window = "round"});
      },
      "round");
  expect_refused([] { Mask::matched({.pattern = {}}); }, "no points");
  expect_refused([] { Mask::savgol({.size = 6, .polyorder = 2}); }, "size = 6");
  expect_refused([] { Mask::savgol({.size = 5, .polyorder = 5}); }, "polyorder = 5");
  expect_refused([] { Mask::savgol({.size = 5, .polyorder = 2, .deriv = 3}); }, "deriv = 3");
  expect_refused([] { Mask::grid({{1, 2}, {3}}); }, "rows");
  expect_refused([] { Mask::grid({{}, {}}); }, "no taps");
}

}  // namespace
}  // namespace stencil
