#include "kernels/families/families.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"
#include "kernels/families/families_firwin.hpp"
#include "kernels/families/families_savgol.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;

/// @param tolerance  relative to the largest tap
void expect_close(const List& taps, const List& scipy, double tolerance = 2e-15) {
  ASSERT_EQ(taps.size(), scipy.size());
  double most = 0;
  for (const double tap : scipy) most = std::max(most, std::abs(tap));
  for (std::size_t k = 0; k < taps.size(); ++k)
    EXPECT_NEAR(taps[k], scipy[k], tolerance * most) << k;
}

// The numbers are from SciPy 1.10.1: gaussian_filter1d of an impulse, firwin, savgol_coeffs
// reversed.
TEST(Families, GaussianEqualsScipy) {
  expect_close(gaussian_taps(1, 0, 2),
               {0.054488684549642924, 0.24420134200323332, 0.4026199468942474, 0.24420134200323332,
                0.054488684549642924});
  expect_close(gaussian_taps(1.5, 1, 1.4), {-0.10673634154952308, -0.10394700292682235, 0,
                                            0.10394700292682235, 0.10673634154952308});
  expect_close(gaussian_taps(0.8, 2, 4),
               {0.00899564098524048, 0.17973304593697687, 0.20066371563732302, -0.7791819562601169,
                0.20066371563732302, 0.17973304593697687, 0.00899564098524048});
  expect_close(gaussian_taps(2, 3, 1), {0.038117286005084336, 0.03812897267158666, 0,
                                        -0.03812897267158666, -0.038117286005084336});
  expect_close(gaussian_taps(0.1, 0, 4), {1});
}

TEST(Families, FixedMasks) {
  EXPECT_EQ(box_taps(4), (List{0.25, 0.25, 0.25, 0.25}));
  EXPECT_EQ(box_taps(1), (List{1}));
  EXPECT_EQ(laplace_taps(), (List{1, -2, 1}));
  EXPECT_EQ(derivative_taps(), (List{-1, 0, 1}));
  EXPECT_EQ(sobel_smoothing_taps(), (List{1, 2, 1}));
  EXPECT_EQ(prewitt_smoothing_taps(), (List{1, 1, 1}));
}

TEST(Families, FirwinEqualsScipy) {
  expect_close(
      firwin_taps(PassBand::lowpass, 7, {0.3}, "hamming", 2),
      {0.0032966132696683596, 0.058973232008108396, 0.2492098913464448, 0.37704052675155686,
       0.24920989134644486, 0.05897323200810847, 0.0032966132696683596});
  expect_close(firwin_taps(PassBand::lowpass, 6, {10}, "kaiser:8.6", 50),
               {2.8984419183060987e-20, 0.05660458903842695, 0.44339541096157303,
                0.44339541096157303, 0.05660458903842695, 2.8984419183060987e-20});
  expect_close(firwin_taps(PassBand::highpass, 9, {12.5}, "blackman", 100),
               {6.7624767165415954e-34, -0.004985414215183367, -0.05411449334520269,
                -0.1741165171902639, 0.7500251238795109, -0.1741165171902639, -0.05411449334520269,
                -0.004985414215183367, 6.7624767165415954e-34});
  expect_close(firwin_taps(PassBand::bandpass, 8, {20, 120}, "hann", 512),
               {0, -0.03930056517891843, 0.08650596761517604, 0.4998799044526449,
                0.4998799044526449, 0.08650596761517604, -0.03930056517891843, 0});
}

TEST(Families, SavgolEqualsScipy) {
  expect_close(savgol_taps(5, 2, 0, 1),
               {-0.08571428571428573, 0.34285714285714275, 0.4857142857142855, 0.34285714285714264,
                -0.08571428571428569},
               1e-13);
  expect_close(savgol_taps(7, 3, 1, 0.5),
               {0.17460317460317473, -0.531746031746032, -0.46031746031746057, 0,
                0.4603174603174607, 0.5317460317460319, -0.17460317460317484},
               1e-13);
  expect_close(savgol_taps(9, 4, 2, 2),
               {-0.018356643356643904, 0.05405011655011666, 0.02199883449883435,
                -0.030740093240093837, -0.05390442890442966, -0.030740093240093837,
                0.021998834498834316, 0.05405011655011665, -0.018356643356643873},
               1e-13);
  expect_close(savgol_taps(5, 4, 0, 1), {0, 0, 1, 0, 0}, 1e-13);
  expect_close(savgol_taps(3, 1, 2, 1), {0, 0, 0}, 1e-13);
  expect_close(savgol_taps(1, 0, 0, 1), {1}, 1e-13);
}

// A wide window of high order, for which normal equations would lose all digits.
TEST(Families, SavgolKeepsPolynomials) {
  const Index size = 401, half = 200;
  const List taps = savgol_taps(size, 9, 1, 1);
  double derivative = 0;
  for (Index i = 0; i < size; ++i) {
    const double x = double(i - half) / half;
    derivative += taps[i] * (3 * x + std::pow(x, 9) - x * x);
  }
  EXPECT_NEAR(derivative * half, 3, 1e-10);
}

// At this order, powers of x are linearly dependent up to rounding. The expected numbers were
// computed in rational arithmetic.
TEST(Families, SavgolOfHighOrderIsExact) {
  const List taps = savgol_taps(101, 64, 0, 1);
  EXPECT_NEAR(taps[0], 5.478554179145259e-12, 1e-14);
  EXPECT_NEAR(taps[1], -2.3423614296549624e-10, 1e-14);
  EXPECT_NEAR(taps[49], 0.3143241174888964, 1e-14);
  EXPECT_NEAR(taps[50], 0.44920313898037084, 1e-14);
}

double fitted(const PolynomialFit& fit, const List& points, Index place) {
  double value = 0;
  for (Index j = 0; j < fit.terms; ++j) {
    double part = 0;
    for (Index i = 0; i < fit.size; ++i) part += fit.basis[j * fit.size + i] * points[i];
    value += fit.at[j * fit.size + place] * part;
  }
  return value;
}

// The fit of a cubic is the cubic itself, so the fit and its derivatives are known at every point.
TEST(Families, SavgolFitFollowsAPolynomialUpToItsEnds) {
  const double delta = 0.5;
  const auto cubic = [](double x, int deriv) {
    return deriv == 0   ? 2 * x * x * x - x + 3
           : deriv == 1 ? 6 * x * x - 1
           : deriv == 2 ? 12 * x
                        : 12.0;
  };
  List points(11);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = cubic(delta * double(i), 0);
  for (int deriv = 0; deriv < 4; ++deriv) {
    const PolynomialFit fit = savgol_fit(11, 3, deriv, delta);
    ASSERT_EQ(fit.terms, 4);
    for (Index k = 0; k < 11; ++k)
      EXPECT_NEAR(fitted(fit, points, k), cubic(delta * double(k), deriv), 1e-10) << deriv;
  }
}

TEST(Families, SavgolFitHasTheTapsInItsMiddle) {
  const PolynomialFit fit = savgol_fit(9, 4, 2, 2);
  const List taps = savgol_taps(9, 4, 2, 2);
  for (std::size_t i = 0; i < taps.size(); ++i) {
    List impulse(9, 0);
    impulse[i] = 1;
    EXPECT_NEAR(fitted(fit, impulse, 4), taps[i], 1e-15);
  }
  EXPECT_EQ(savgol_fit(5, 2, 3, 1).terms, 0);  // the third derivative of a parabola is 0
  EXPECT_THROW(savgol_fit(5, 5, 0, 1), ShapeError);
  EXPECT_THROW(savgol_fit(65537, 2, 0, 1), ShapeError);
}

TEST(Families, GaussianRefusesNonsense) {
  EXPECT_THROW(gaussian_taps(0, 0, 4), ShapeError);
  EXPECT_THROW(gaussian_taps(-1, 0, 4), ShapeError);
  EXPECT_THROW(gaussian_taps(std::nan(""), 0, 4), ShapeError);
  EXPECT_THROW(gaussian_taps(1, -1, 4), ShapeError);
  EXPECT_THROW(gaussian_taps(1, 0, 0), ShapeError);
  EXPECT_THROW(gaussian_taps(3e6, 0, 4), ShapeError);
  EXPECT_THROW(gaussian_taps(1e300, 0, 1e300), ShapeError);
  EXPECT_EQ(gaussian_taps(2e6, 0, 4).size(), 16000001u);
}

TEST(Families, GaussianEndsAtARadius) {
  EXPECT_EQ(gaussian_radius(1.5, 4), 6);
  EXPECT_EQ(gaussian_taps_within(1.5, 1, 6), gaussian_taps(1.5, 1, 4));
  EXPECT_EQ(gaussian_taps_within(1.5, 0, 2).size(), 5u);
  EXPECT_EQ(gaussian_taps_within(1.5, 0, 0), List{1});
  EXPECT_THROW(gaussian_taps_within(1.5, 0, -1), ShapeError);
  EXPECT_THROW(gaussian_taps_within(1.5, 0, Index{1} << 24), ShapeError);
}

TEST(Families, BoxRefusesNonsense) {
  EXPECT_THROW(box_taps(0), ShapeError);
  EXPECT_THROW(box_taps(-3), ShapeError);
  EXPECT_THROW(box_taps(Index(1) << 40), ShapeError);
}

TEST(Families, FirwinRefusesNonsense) {
  const auto low = [](Index taps, const List& cutoff, const char* window) {
    return firwin_taps(PassBand::lowpass, taps, cutoff, window, 100);
  };
  EXPECT_NO_THROW(low(10, {49.9}, "hann"));
  EXPECT_THROW(low(10, {50}, "hann"), ShapeError);
  EXPECT_THROW(low(10, {0}, "hann"), ShapeError);
  EXPECT_THROW(low(10, {std::nan("")}, "hann"), ShapeError);
  EXPECT_THROW(low(10, {1, 2}, "hann"), ShapeError);
  EXPECT_THROW(low(10, {}, "hann"), ShapeError);
  EXPECT_THROW(low(0, {10}, "hann"), ShapeError);
  EXPECT_THROW(low(10, {10}, "han"), ShapeError);
  EXPECT_THROW(firwin_taps(PassBand::lowpass, 5, {1}, "hann", 0), ShapeError);
  EXPECT_THROW(firwin_taps(PassBand::highpass, 10, {10}, "hann", 100), ShapeError);
  EXPECT_NO_THROW(firwin_taps(PassBand::highpass, 11, {10}, "hann", 100));
  EXPECT_THROW(firwin_taps(PassBand::bandpass, 11, {10}, "hann", 100), ShapeError);
  EXPECT_THROW(firwin_taps(PassBand::bandpass, 11, {20, 10}, "hann", 100), ShapeError);
  EXPECT_THROW(firwin_taps(PassBand::bandstop, 10, {10, 20}, "hann", 100), ShapeError);
  EXPECT_THROW(firwin_taps(PassBand::bandstop, 11, {10}, "hann", 100), ShapeError);
  EXPECT_NO_THROW(firwin_taps(PassBand::bandstop, 11, {10, 20}, "hann", 100));
  EXPECT_THROW(firwin_taps(PassBand::bandpass, 11, {10, 10}, "hann", 100), ShapeError);
}

TEST(Families, SavgolRefusesNonsense) {
  EXPECT_THROW(savgol_taps(4, 2, 0, 1), ShapeError);
  EXPECT_THROW(savgol_taps(5, 5, 0, 1), ShapeError);
  EXPECT_THROW(savgol_taps(5, -1, 0, 1), ShapeError);
  EXPECT_THROW(savgol_taps(5, 2, -1, 1), ShapeError);
  EXPECT_THROW(savgol_taps(5, 2, 0, 0), ShapeError);
  EXPECT_THROW(savgol_taps(5, 2, 2, 1e-200), ShapeError);
  EXPECT_THROW(savgol_fit(5, 2, 2, 1e200), ShapeError);
  EXPECT_THROW(savgol_taps(-5, 2, 0, 1), ShapeError);
}

TEST(Families, MessagesAreOneLineWithTheValue) {
  try {
    firwin_taps(PassBand::lowpass, 10, {75.5}, "hann", 100);
    FAIL();
  } catch (const ShapeError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("75.5"), std::string::npos) << text;
    EXPECT_NE(text.find("50"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

/// Parameters with which every family makes a mask.
FamilyParameters parameters_for(const Family& family, Index order) {
  FamilyParameters p;
  p.sigma = {1.7};
  p.order = {order};
  p.size = {7};
  p.radius = {6};
  p.inner = {2.5};
  p.taps = 9;
  p.cutoff = family.name == "bandpass" || family.name == "bandstop" ? List{0.1, 0.3} : List{0.2};
  p.polyorder = 4;
  p.deriv = order;
  p.shape_values = {1, 2, 5, 2, 1};
  p.sampling_rate = 1;
  return p;
}

TEST(FamilyTable, ParametersThatGoTogetherPass) {
  for (const Family& family : all_families()) {
    if (family.check == nullptr) continue;
    const auto bad = family.check(parameters_for(family, 0));
    EXPECT_FALSE(bad.has_value()) << family.name << ": " << bad->why;
  }
}

TEST(FamilyTable, TapsHaveTheParityOfTheirDerivative) {
  for (const Family& family : all_families()) {
    for (const Index order : {0, 1, 2, 3}) {
      const FamilyParameters p = parameters_for(family, order);
      const List taps = family.along(p, 0);
      const bool is_odd = family.order != nullptr && family.order(p, 0) % 2 == 1;
      const double most = *std::max_element(taps.begin(), taps.end());
      for (std::size_t k = 0; k < taps.size(); ++k)
        EXPECT_NEAR(taps[k], (is_odd ? -1 : 1) * taps[taps.size() - 1 - k], 1e-12 * most)
            << family.name << " of order " << order << ", tap " << k;
    }
  }
}

TEST(FamilyTable, TwoAxesTakeTheirValuesInTheOrderYX) {
  FamilyParameters p;
  p.size = {2, 3};
  const auto box = std::get<Factors>(taps_over_two_axes(*find_family("box"), p, 0));
  EXPECT_EQ(box.column, box_taps(2));
  EXPECT_EQ(box.row, box_taps(3));
  const auto sobel = std::get<Factors>(taps_over_two_axes(*find_family("sobel"), p, 0));
  EXPECT_EQ(sobel.column, derivative_taps());
  EXPECT_EQ(sobel.row, sobel_smoothing_taps());
  const auto turned = std::get<Factors>(taps_over_two_axes(*find_family("sobel"), p, 1));
  EXPECT_EQ(turned.column, sobel.row);
  EXPECT_EQ(turned.row, sobel.column);
  const auto laplace = std::get<Taps>(taps_over_two_axes(*find_family("laplace"), p, 0));
  EXPECT_EQ(laplace.values, (List{0, 1, 0, 1, -4, 1, 0, 1, 0}));
}

/// Parameters that contradict each other; the error names the key.
TEST(FamilyTable, RadiiAreChecked) {
  const auto bad_key = [](const char* name, const FamilyParameters& p) {
    const auto bad = find_family(name)->check(p);
    return bad ? std::string(bad->key) : "";
  };
  EXPECT_EQ(bad_key("gaussian", {.sigma = {2}, .radius = {2.5}}), "radius");
  EXPECT_EQ(bad_key("gaussian", {.sigma = {2}, .radius = {0}}), "");
  EXPECT_EQ(bad_key("disk", {.radius = {0}}), "radius");
  EXPECT_EQ(bad_key("disk", {.radius = {3, 0}}), "radius");
  EXPECT_EQ(bad_key("annulus", {.radius = {3, 4}, .inner = {3}}), "inner");
  EXPECT_EQ(bad_key("annulus", {.radius = {3, 4}, .inner = {2.5, 3.5}}), "");
  EXPECT_EQ(bad_key("dog", {.sigma = {2}, .ratio = 1}), "ratio");
}

TEST(FamilyTable, ADerivativeAlongEitherAxisIsOne) {
  const Family& gaussian = *find_family("gaussian");
  FamilyParameters p;
  EXPECT_FALSE(is_derivative(gaussian, p));
  p.order = {0, 1};
  EXPECT_TRUE(is_derivative(gaussian, p));
  EXPECT_TRUE(is_derivative(*find_family("laplace"), p));
  EXPECT_FALSE(is_derivative(*find_family("highpass"), p));
}

}  // namespace
}  // namespace stencil
