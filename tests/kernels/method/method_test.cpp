#include "kernels/method/method.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "framework/grid/error.hpp"
#include "kernels/families/families_round.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;
constexpr double eps64 = 0x1p-52, eps32 = 0x1p-23;

Mask outer_taps(const List& column, const List& row) {
  Mask mask = Mask::outer(column, row);
  mask.factors.reset();
  mask.multiply_zeros = false;
  return mask;
}

List product(const Factors& factors) {
  return Mask::outer(factors.column, factors.row).taps.values;
}

TEST(Method, IntegerOuterProductsKeepIntegerFactors) {
  const std::vector<std::pair<List, List>> cases{{{1, 3, 1}, {1, 3, 1}},
                                                 {{1, 4, 6, 4, 1}, {1, 4, 6, 4, 1}},
                                                 {{2, 7, 5}, {3, 0, -5, 9}},
                                                 {{-3, 6, 9, 12}, {2, 4, 2, 8}},
                                                 {{1, 2, 1, 3}, {0, -1, 0, 1, 0, 7}}};
  for (const auto& [column, row] : cases) {
    const Mask mask = outer_taps(column, row);
    const MethodChoice choice = choose_method(mask, MethodRequest::separable, eps64);
    ASSERT_EQ(choice.method, Method::separable);
    EXPECT_EQ(choice.error, 0);
    EXPECT_EQ(product(*choice.mask.factors), mask.taps.values);
    for (const double tap : choice.mask.factors->column) EXPECT_EQ(tap, std::round(tap));
    for (const double tap : choice.mask.factors->row) EXPECT_EQ(tap, std::round(tap));
    EXPECT_FALSE(choice.mask.multiply_zeros);
  }
}

/// One column times one row gives every tap within 4 eps of the largest tap, but the sum of all
/// differences exceeds the allowed error of a direct sum.
TEST(Method, ManySmallTapsBesideALargeOneAreNotLost) {
  List taps(15 * 15, 4.5e-7);
  taps[7 * 15 + 7] = 1;
  const Mask mask = Mask::grid(taps, 15, 15);
  const MethodChoice choice = choose_method(mask, MethodRequest::automatic, eps32);
  EXPECT_NE(choice.separable_terms(), 1);
  if (choice.separable_terms() > 0) {
    double off = 0;
    const Factors& factors = *choice.mask.factors;
    for (Index y = 0; y < 15; ++y)
      for (Index x = 0; x < 15; ++x) {
        double tap = 0;
        for (Index k = 0; k < factors.terms; ++k)
          tap += factors.column[k * 15 + y] * factors.row[k * 15 + x];
        off += std::abs(tap - taps[y * 15 + x]);
      }
    EXPECT_LE(off, 0.5 * 225 * eps32 * (1 + 224 * 4.5e-7));
  }
}

TEST(Method, RandomOuterProductsAreFound) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int n = 0; n < 200; ++n) {
    List column(3 + n % 9), row(3 + n % 7);
    for (double& tap : column) tap = normal(random);
    for (double& tap : row) tap = normal(random);
    if (n % 3 == 0) row[n % row.size()] = 0;
    if (n % 5 == 0) column[n % column.size()] = 0;
    const MethodChoice choice =
        choose_method(outer_taps(column, row), MethodRequest::separable, eps64);
    EXPECT_EQ(choice.method, Method::separable);
    EXPECT_LE(choice.error, 4 * eps64);
    for (std::size_t k = 0; k < row.size(); ++k)
      EXPECT_EQ(choice.mask.factors->row[k] == 0, row[k] == 0);
    for (std::size_t k = 0; k < column.size(); ++k)
      EXPECT_EQ(choice.mask.factors->column[k] == 0, column[k] == 0);
  }
}

TEST(Method, SeparableOnlyWhereItSavesTaps) {
  const List two{1, 2}, three{1, 2, 3}, four{1, 2, 3, 4};
  const auto method = [](const Mask& mask) {
    return choose_method(mask, MethodRequest::automatic, eps64).method;
  };
  // the number of taps of two passes against the number of taps of the direct sum
  EXPECT_EQ(method(outer_taps(two, two)), Method::direct);                 // 4 against 4
  EXPECT_EQ(method(outer_taps(two, three)), Method::direct);               // 5 against 6
  EXPECT_EQ(method(outer_taps(three, three)), Method::direct);             // 6 against 9: too few
  EXPECT_EQ(method(outer_taps(three, four)), Method::separable);           // 7 against 12
  EXPECT_EQ(method(outer_taps(two, {1, 2, 3, 4, 5})), Method::separable);  // 7 against 10
  EXPECT_EQ(method(outer_taps({1, 0, 1}, {1, 0, 1})), Method::direct);     // 6 against 4
  EXPECT_EQ(method(Mask::outer({1, 0, 1, 1}, {1, 0, 1, 1})), Method::separable);
  EXPECT_EQ(method(outer_taps({1}, four)), Method::direct);
  EXPECT_EQ(method(outer_taps(four, {1})), Method::direct);
  EXPECT_EQ(method(Mask::line({1, 2, 3, 4, 5, 6}, y_axis)), Method::direct);
}

TEST(Method, FivePointAndRankTwoStayDirect) {
  const Mask five = Mask::grid({0, 1, 0, 1, -4, 1, 0, 1, 0}, 3, 3);
  EXPECT_EQ(choose_method(five, MethodRequest::automatic, eps32).method, Method::direct);
  const Mask two = Mask::grid({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3);
  const MethodChoice choice = choose_method(two, MethodRequest::automatic, eps32);
  EXPECT_EQ(choice.method, Method::direct);
  // The ratio of the singular values, 1.0684 and 16.848.
  EXPECT_NE(choice.reason.find("6.3e-02"), std::string::npos) << choice.reason;
}

TEST(Method, SeparableAskedOfRankTwoSaysHowFarItIs) {
  const Mask mask = Mask::grid({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3);
  try {
    choose_method(mask, MethodRequest::separable, eps64);
    FAIL();
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("6.3e-02"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("rank 2"), std::string::npos) << error.what();
  }
}

TEST(Method, NearlyRankOneDependsOnThePrecision) {
  Mask mask = outer_taps({1, 2, 3, 2, 1}, {1, 5, 7, 5, 1});
  mask.taps.values[3] *= 1 + 1e-7;  // by 5e-7, which is 2.4e-8 of the largest tap, 21
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).method, Method::separable);
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
  // a single different tap adds a second term
  const MethodChoice asked = choose_method(mask, MethodRequest::separable, eps64);
  EXPECT_EQ(asked.separable_terms(), 2);
  EXPECT_LE(asked.error, 4 * eps64);
  mask.taps.values[3] *= 1 + 1e-5;
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).method, Method::direct);
}

// If the factors turned a zero into a tiny tap, NaN would affect more outputs.
TEST(Method, ZerosThatTheFactorsDoNotHaveForbidSeparable) {
  Mask mask = outer_taps({1, 1e-9, 1, 1}, {1, 1e-9, 1, 1});
  mask.taps.values[5] = 0;  // the product would be 1e-18
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
  mask.multiply_zeros = true;
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::separable);
}

TEST(Method, KnownFactorsAreUsedAsTheyAre) {
  const Mask mask = Mask::outer({0.1, 0.6, 0.1, 0.2}, {0.3, 0.3, 0.4}, {1, -1});
  const MethodChoice choice = choose_method(mask, MethodRequest::automatic, eps64);
  EXPECT_EQ(choice.method, Method::separable);
  EXPECT_EQ(choice.mask.factors->column, (List{0.1, 0.6, 0.1, 0.2}));
  EXPECT_EQ(choice.mask.factors->row, (List{0.3, 0.3, 0.4}));
  EXPECT_EQ(choice.mask.centre, mask.centre);
  EXPECT_TRUE(choice.mask.multiply_zeros);
  EXPECT_EQ(choose_method(mask, MethodRequest::direct, eps64).method, Method::direct);
}

TEST(Method, MasksOfZerosAreDirect) {
  for (const bool multiply : {false, true}) {
    Mask mask = Mask::grid(List(25, 0.0), 5, 5);
    mask.multiply_zeros = multiply;
    EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps64).method, Method::direct);
    EXPECT_EQ(choose_method(mask, MethodRequest::separable, eps64).method, Method::direct);
  }
}

/// A Gaussian, or its second derivative if `curved`.
List bell(Index width, double sigma, bool curved = false) {
  List taps;
  for (Index i = 0; i < width; ++i) {
    const double x = double(i - width / 2) / sigma;
    taps.push_back(std::exp(-x * x / 2) * (curved ? x * x - 1 : 1));
  }
  return taps;
}

/// The sum of column times row over all pairs, as a mask without known factors.
Mask sum_of(const std::vector<std::pair<List, List>>& terms, double more = 0) {
  Taps taps{Index(terms[0].first.size()), Index(terms[0].second.size()), {}};
  taps.values.assign(std::size_t(taps.height * taps.width), more);
  for (const auto& [column, row] : terms)
    for (Index y = 0; y < taps.height; ++y)
      for (Index x = 0; x < taps.width; ++x) taps.values[y * taps.width + x] += column[y] * row[x];
  return Mask::grid(std::move(taps));
}

Mask laplacian_of_gaussian(Index width, double more = 0) {
  const List plain = bell(width, double(width) / 6), curved = bell(width, double(width) / 6, true);
  return sum_of({{plain, curved}, {curved, plain}}, more);
}

/// Largest |sum of outer products - tap|, divided by the largest |tap|.
double distance(const Factors& factors, const Taps& taps) {
  double most = 0, largest = 0;
  for (Index y = 0; y < taps.height; ++y)
    for (Index x = 0; x < taps.width; ++x) {
      double tap = 0;
      for (Index k = 0; k < factors.terms; ++k)
        tap += factors.column[k * taps.height + y] * factors.row[k * taps.width + x];
      most = std::max(most, std::abs(tap - taps.at(y, x)));
      largest = std::max(largest, std::abs(taps.at(y, x)));
    }
  return most / largest;
}

TEST(Method, MasksOfRankTwoAndThreeAreSumsOfSeparableOnes) {
  for (const Index width : {15, 31}) {
    const List thin = bell(width, 2), wide = bell(width, 3.2);
    List less = wide;
    for (double& tap : less) tap *= -0.3;
    const std::vector<std::pair<Mask, Index>> cases{
        {laplacian_of_gaussian(width), 2},
        {sum_of({{thin, thin}, {less, wide}}), 2},
        // a constant is added, so that the taps sum to 0
        {laplacian_of_gaussian(width, 0.01), 3},
        {sum_of({{thin, thin}, {wide, bell(width, 1, true)}, {bell(width, 4, true), less}}), 3}};
    for (const double eps : {eps32, eps64}) {
      for (const auto& [mask, terms] : cases) {
        const MethodChoice choice = choose_method(mask, MethodRequest::automatic, eps);
        ASSERT_EQ(choice.method, Method::separable) << choice.reason;
        EXPECT_EQ(choice.separable_terms(), terms) << choice.reason;
        EXPECT_EQ(Index(choice.mask.factors->column.size()), terms * width);
        EXPECT_EQ(Index(choice.mask.factors->row.size()), terms * width);
        EXPECT_LE(distance(*choice.mask.factors, mask.taps), 4 * eps);
        EXPECT_EQ(to_string(choice), terms == 2 ? "sum of 2 separable" : "sum of 3 separable");
        EXPECT_EQ(choose_method(mask, MethodRequest::direct, eps).method, Method::direct);
      }
    }
  }
  EXPECT_EQ(to_string(choose_method(outer_taps({1, 2, 3, 4}, {1, 2, 3}), MethodRequest::automatic,
                                    eps64)),
            "separable");
}

/// The reason that is given for the choice of direct sums.
std::string why_direct(const Mask& mask, double eps, const MethodSite& site = {}) {
  const MethodChoice choice = choose_method(mask, MethodRequest::automatic, eps, site);
  return choice.method == Method::direct ? choice.reason : "is not direct: " + choice.reason;
}

/// The message of a refusal of `method = separable`.
std::string refusal(const Mask& mask, double eps, const MethodSite& site = {}) {
  try {
    return "not refused: " + choose_method(mask, MethodRequest::separable, eps, site).reason;
  } catch (const ShapeError& error) {
    return error.what();
  }
}

#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)

TEST(Method, NearlyRankTwoIsDirectAndSaysItsRank) {
  Mask mask = laplacian_of_gaussian(15);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> one(-1, 1);
  const double largest = 2;  // the largest tap, which is at the centre
  for (double& tap : mask.taps.values) tap += 1e-8 * largest * one(random);
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).separable_terms(), 2);
  EXPECT_SAYS(why_direct(mask, eps64), "rank 15, singular values 1, 2.7e-01, ");
  EXPECT_SAYS(why_direct(mask, eps64), "no such sum gives it back");
  EXPECT_SAYS(refusal(mask, eps64), "this one has rank 15, singular values 1, 2.7e-01, ");
  for (double& tap : mask.taps.values) tap += 1e-5 * largest * one(random);
  EXPECT_SAYS(why_direct(mask, eps32), "no such sum gives it back");
  EXPECT_SAYS(refusal(mask, eps32), "no such sum gives it back");
}

TEST(Method, SeveralTermsOnlyWhereTheySaveManyTaps) {
  // the reason must not be a high rank, because the rank may be low and the sum may be refused for
  // another reason
  Mask large = Mask::grid(List(300 * 260), 300, 260);
  for (Index y = 0; y < 300; ++y)
    for (Index x = 0; x < 260; ++x) large.taps.values[y * 260 + x] = 1 + double(y) * double(x % 7);
  EXPECT_SAYS(why_direct(large, eps64, {.renormalizes = true}),
              "300 x 260 taps, too many to find its rank; a sum of 2");
  const MethodSite grid{.world = {{1000, 1000}, 1, 4}};
  EXPECT_SAYS(why_direct(laplacian_of_gaussian(5), eps32, grid), "sum of 2 separable at ");
  EXPECT_EQ(
      choose_method(laplacian_of_gaussian(7), MethodRequest::separable, eps32).separable_terms(),
      2);  // separable sums are used, because they were requested
  EXPECT_EQ(
      choose_method(laplacian_of_gaussian(11), MethodRequest::automatic, eps32).separable_terms(),
      2);
  EXPECT_SAYS(why_direct(laplacian_of_gaussian(5, 0.01), eps32), "takes 30 taps a point");
  EXPECT_SAYS(refusal(laplacian_of_gaussian(5, 0.01), eps32), "takes 30 taps a point, against 25");
}

TEST(Method, SeveralTermsLeaveNoPointOut) {
  Mask mask = laplacian_of_gaussian(15);
  double& corner = mask.taps.values[0];
  for (Index k = 0; k < 15; ++k) {  // a row of zeros does not change the rank
    mask.taps.values[3 * 15 + k] = 0;
  }
  EXPECT_NE(corner, 0);
  EXPECT_SAYS(why_direct(mask, eps32), "points that the zeros leave out");
  EXPECT_SAYS(refusal(mask, eps32), "points that the zeros leave out");
  mask.multiply_zeros = true;
  EXPECT_EQ(choose_method(mask, MethodRequest::automatic, eps32).separable_terms(), 2);
}

TEST(Method, SeveralTermsDoNotRenormalizeNorStrideOnGpus) {
  const Mask mask = laplacian_of_gaussian(15, 0.01);
  EXPECT_SAYS(why_direct(mask, eps32, {.renormalizes = true}), "missing points");
  EXPECT_SAYS(refusal(mask, eps32, {.renormalizes = true}), "missing points");
  const MethodSite on_gpu{.stride = {2, 2}, .backend = Backend::cuda};
  EXPECT_SAYS(why_direct(mask, eps32, on_gpu), "outputs are left out");
  EXPECT_EQ(choose_method(mask, MethodRequest::separable, eps32, on_gpu).separable_terms(), 3);
}

/// A row and a column of large taps on a background of small taps: the separable terms are large in
/// the background, where they cancel.
TEST(Method, TermsThatCancelAreRefused) {
  List line(31, 1.0), ground(31, 0.0), at(31, 0.0);
  at[15] = 1;
  for (double& tap : ground) tap = 0.001;
  const Mask mask = sum_of({{at, line}, {line, at}, {ground, line}});
  EXPECT_SAYS(why_direct(mask, eps32), "times the mask, most of which cancels");
  EXPECT_SAYS(refusal(mask, eps32), "times the mask, most of which cancels");
}

TEST(Method, IntegersKeepIntegerFactorsOrStayDirect) {
  List column(15), row(15), more_column(15), more_row(15);
  for (Index k = 0; k < 15; ++k) {
    column[k] = 2 + double(k % 3), row[k] = 2 + double(k * k % 3);
    more_column[k] = k % 2 ? 1 : -1, more_row[k] = k % 4 < 2 ? 1 : -1;
  }
  column[7] = row[5] = 9;
  const Mask fractions = sum_of({{column, row}, {more_column, more_row}});
  EXPECT_SAYS(why_direct(fractions, eps64), "not whole numbers");
  EXPECT_EQ(choose_method(fractions, MethodRequest::separable, eps64).separable_terms(), 2);
  // at the row and the column through the largest tap, only the first term is nonzero
  more_column[7] = more_row[5] = 0;
  const Mask whole = sum_of({{column, row}, {more_column, more_row}});
  const MethodChoice choice = choose_method(whole, MethodRequest::automatic, eps64);
  ASSERT_EQ(choice.separable_terms(), 2) << choice.reason;
  EXPECT_EQ(choice.error, 0);
  for (const List& factor : {choice.mask.factors->column, choice.mask.factors->row})
    for (const double tap : factor) EXPECT_EQ(tap, std::round(tap));
}

Mask long_mask(Index taps) {
  return Mask::line(List(taps, 1.0));
}

TEST(Method, FftWhereTheTapsCostMoreThanTheTransforms) {
  const auto method = [](Index taps, const MethodSite& site) {
    return choose_method(long_mask(taps), MethodRequest::automatic, eps32, site).method;
  };
  const MethodSite line{.axis_outputs = 1 << 26};
  EXPECT_EQ(method(33, line), Method::direct);
  EXPECT_EQ(method(150, line), Method::fft);
  EXPECT_EQ(method(4097, line), Method::fft);
  EXPECT_EQ(method(4097, {}), Method::direct);  // the axis is unknown
  MethodSite leaves_out{.axis_outputs = 1 << 26, .renormalizes = true};
  EXPECT_EQ(method(4097, leaves_out), Method::fft);
  leaves_out.backend = Backend::cuda;
  EXPECT_EQ(method(4097, leaves_out), Method::direct);
  // a stride makes direct sums cheaper, but not transforms
  EXPECT_EQ(method(17, {.axis_outputs = 1 << 26, .stride = {1, 2}}), Method::direct);
  EXPECT_EQ(method(1025, {.axis_outputs = 1 << 26, .stride = {1, 2}}), Method::fft);
  // 110 minutes of 400 channels, every 10th sample: windows of transforms take five times the
  // memory
  const MethodSite day{
      .axis_outputs = 66000, .stride = {10, 1}, .lines = 400, .world = {{659991, 400}, 1, 4}};
  const Mask column = Mask::line(List(513, 1.0), y_axis);
  EXPECT_EQ(choose_method(column, MethodRequest::automatic, eps32, day).method, Method::direct);
  const MethodSite hour{
      .axis_outputs = 2750, .stride = {10, 1}, .lines = 400, .world = {{27491, 400}, 1, 4}};
  EXPECT_EQ(choose_method(column, MethodRequest::automatic, eps32, hour).method, Method::fft);
  // few outputs along the axis, but many lines
  EXPECT_EQ(method(1025, {.axis_outputs = 500}), Method::direct);
  EXPECT_EQ(method(1025, {.axis_outputs = 500, .lines = 1000}), Method::fft);
}

TEST(Method, TablesOfTransformsPayOverTheSteps) {
  const auto method = [](Index steps) {
    const MethodSite site{
        .axis_outputs = 5289, .lines = 1, .steps = steps, .world = {{1, 5289}, 1, 8}};
    return choose_method(long_mask(401), MethodRequest::automatic, eps64, site).method;
  };
  EXPECT_EQ(method(1), Method::direct);
  EXPECT_EQ(method(30), Method::fft);
}

/// A mask of full rank, and a mask that is a column times a row.
TEST(Method, FftOfTwoAxesWhereItCostsLeast) {
  const auto full = [](Index w) {
    std::vector<double> taps(w * w);
    for (Index k = 0; k < w * w; ++k) taps[k] = std::sin(double(k * k));
    return Mask::grid(taps, w, w);
  };
  const auto outer = [](Index w) {
    List factor(w);
    for (Index k = 0; k < w; ++k) factor[k] = 1.5 + std::sin(double(k));
    return Mask::outer(factor, factor);
  };
  const auto method = [](const Mask& mask, const MethodSite& site) {
    return choose_method(mask, MethodRequest::automatic, eps32, site).method;
  };
  const MethodSite grid{.world = {{4000, 4000}, 1, 4}};
  EXPECT_EQ(method(full(7), grid), Method::direct);
  EXPECT_EQ(method(full(13), grid), Method::fft);
  EXPECT_EQ(method(full(31), grid), Method::fft);
  EXPECT_EQ(method(full(101), grid), Method::fft);
  EXPECT_EQ(method(outer(31), grid), Method::separable);
  EXPECT_EQ(method(outer(301), grid), Method::fft);
  EXPECT_EQ(method(full(101), {}), Method::direct);  // the axes are unknown
  // sums over valid points on CPUs
  const MethodSite leaves_out{.renormalizes = true, .world = grid.world};
  EXPECT_EQ(method(full(101), leaves_out), Method::fft);
  MethodSite on_gpu = leaves_out;
  on_gpu.backend = Backend::cuda;
  EXPECT_EQ(method(full(101), on_gpu), Method::direct);
  // the tables of a transform would cost more than direct sums
  EXPECT_EQ(method(full(7), {.world = {{40, 40}, 1, 4}}), Method::direct);
  // a stride makes direct sums cheaper, but not transforms
  EXPECT_EQ(method(full(9), {.stride = {5, 5}, .world = grid.world}), Method::direct);
  EXPECT_EQ(method(full(301), {.stride = {5, 5}, .world = grid.world}), Method::fft);
}

TEST(Method, FftAsAskedForAndOnlyWhereItCanBe) {
  const MethodChoice choice =
      choose_method(long_mask(3), MethodRequest::fft, eps32, {.axis_outputs = 10});
  EXPECT_EQ(choice.method, Method::fft);
  EXPECT_EQ(choice.blocks.width, 3);
  EXPECT_GE(choice.blocks.points, least_fft_points);
  EXPECT_EQ(
      choose_method(long_mask(999), MethodRequest::direct, eps32, {.axis_outputs = 1 << 26}).method,
      Method::direct);
  const Mask square = outer_taps({1, 2}, {1, 2});
  EXPECT_EQ(choose_method(square, MethodRequest::fft, eps32).method, Method::fft);
  const MethodSite on_gpu{.renormalizes = true, .backend = Backend::cuda};
  for (const Mask& mask : {square, outer_taps({1, -2}, {1, 2}), long_mask(3)}) {
    EXPECT_EQ(choose_method(mask, MethodRequest::fft, eps32, {.renormalizes = true}).method,
              Method::fft);
    EXPECT_THROW(choose_method(mask, MethodRequest::fft, eps32, on_gpu), ShapeError);
  }
  EXPECT_THROW(choose_fft_blocks(most_fft_points, 1000, 1), ShapeError);
}

}  // namespace
}  // namespace stencil
