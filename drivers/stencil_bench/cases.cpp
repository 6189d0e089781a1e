#include "drivers/stencil_bench/cases.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "kernels/families/families_round.hpp"

namespace stencil::bench {
namespace {

/// Returns taps without a symmetry or factorization that a kernel could use.
std::vector<double> irregular_taps(Index count, double seed) {
  std::vector<double> taps;
  for (Index i = 0; i < count; ++i) taps.push_back(std::sin(seed + 1.7 * double(i * i + 1)));
  return taps;
}

std::vector<double> positive_taps(Index count, double seed) {
  std::vector<double> taps = irregular_taps(count, seed);
  for (double& tap : taps) tap += 1.5;
  return taps;
}

std::vector<Case> volume_cases(const std::string& type, Index points) {
  constexpr Index multiple = 16;
  const Index side = static_cast<Index>(std::cbrt(double(points))) / multiple * multiple;
  const Point cube{side, side, side};
  std::vector<Case> cases;
  for (const Index reach : {1, 2, 4})
    cases.push_back({fmt::format("cpu/volume/star{}/{}", 6 * reach + 1, type), star(reach),
                     Method::direct, cube, 6 * reach + 1});
  // The time of transforms hardly depends on the number of taps, so the share of transforms is
  // relative to the copy.
  for (const auto& [kind, method, widths] :
       {std::tuple{"volume", Method::direct, std::vector<Index>{3, 5, 7}},
        {"fft3d", Method::fft, {5, 9, 33}}})
    for (const Index w : widths)
      cases.push_back({fmt::format("cpu/{0}/{1}x{1}x{1}/{2}", kind, w, type),
                       Mask::volume({w, w, irregular_taps(w * w * w, 3), w}), method, cube,
                       method == Method::fft ? 1 : w * w * w});
  for (const Index terms : {1, 3})
    for (const Index w : {9, 17}) {
      std::vector<std::array<std::vector<double>, 3>> products;
      for (Index k = 0; k < terms; ++k)
        products.push_back(
            {irregular_taps(w, 3 + double(k)), irregular_taps(w, 4), irregular_taps(w, 5)});
      cases.push_back({fmt::format("cpu/volume/{}separable{}/{}",
                                   terms > 1 ? fmt::format("sum_of_{}_", terms) : "", w, type),
                       sum_of_products(products), Method::separable, cube, terms * 3 * w});
    }
  return cases;
}

}  // namespace

Mask star(Index reach) {
  const Index width = 2 * reach + 1, plane = width * width, centre = (plane * width - 1) / 2;
  std::vector<double> taps(std::size_t(plane * width));
  for (const Index step : {Index{1}, width, plane})
    for (Index k = -reach; k <= reach; ++k)
      taps[std::size_t(centre + k * step)] =
          (0.3 + 0.1 * double(k) / double(step)) / double(3 * reach);
  return Mask::volume({width, width, std::move(taps), width});
}

Mask sum_of_outer(Index width, Index terms) {
  Factors factors{{}, {}, terms};
  for (Index k = 0; k < terms; ++k) {
    const auto column = irregular_taps(width, 4 + double(k)),
               row = irregular_taps(width, 7 - double(k));
    factors.column.insert(factors.column.end(), column.begin(), column.end());
    factors.row.insert(factors.row.end(), row.begin(), row.end());
  }
  Mask mask = Mask::grid(irregular_taps(width * width, 3), width, width);
  for (Index y = 0; y < width; ++y)
    for (Index x = 0; x < width; ++x) {
      double& tap = mask.taps.values[y * width + x] = 0;
      for (Index k = 0; k < terms; ++k)
        tap += factors.column[k * width + y] * factors.row[k * width + x];
    }
  mask.factors = std::move(factors);
  return mask;
}

std::vector<Case> cpu_cases(const std::string& type, Index points) {
  const Index side = static_cast<Index>(std::sqrt(double(points)));
  const Point line{1, 1, points}, grid{1, side, side};
  std::vector<Case> cases;
  for (Index w : {5, 17, 65, 257})
    cases.push_back({fmt::format("cpu/line/{}/{}", w, type), Mask::line(irregular_taps(w, 1)),
                     Method::direct, line, w});
  // The time of an FFT hardly depends on the number of taps, so the share of an FFT is relative to
  // the copy.
  for (Index w : {257, 1025, 4097}) {
    cases.push_back({fmt::format("cpu/fft/{}/{}", w, type), Mask::line(irregular_taps(w, 1)),
                     Method::fft, line, 1});
    cases.push_back({fmt::format("cpu/fft_column/{}/{}", w, type),
                     Mask::line(irregular_taps(w, 2), y_axis), Method::fft, grid, 1});
  }
  for (Index w : {65537, 1048577})
    cases.push_back({fmt::format("cpu/fft/{}/{}", w, type), Mask::line(irregular_taps(w, 1)),
                     Method::fft, line, 1});
  for (const auto& [kind, outputs] :
       {std::pair{"fft2d", Point{1, 4000, 4000}}, {"fft2d_large", Point{1, 16384, 8192}}})
    for (Index w : {15, 31, 63, 101, 255})
      cases.push_back({fmt::format("cpu/{}/{}x{}/{}", kind, w, w, type),
                       Mask::grid(irregular_taps(w * w, 3), w, w), Method::fft, outputs, 1});
  for (Index w : {5, 17, 65})
    cases.push_back({fmt::format("cpu/column/{}/{}", w, type),
                     Mask::line(irregular_taps(w, 2), y_axis), Method::direct, grid, w});
  cases.push_back({fmt::format("cpu/dense/5pt/{}", type),
                   Mask::grid({0, 0.1, 0, 0.2, 0.4, 0.15, 0, 0.1, 0}, 3, 3), Method::direct, grid,
                   5});
  for (Index w : {3, 5, 9, 15, 31})
    cases.push_back({fmt::format("cpu/dense/{}x{}/{}", w, w, type),
                     Mask::grid(irregular_taps(w * w, 3), w, w), Method::direct, grid, w * w});
  for (Index w : {5, 9, 17, 31, 63})
    cases.push_back({fmt::format("cpu/separable/{}/{}", w, type),
                     Mask::outer(irregular_taps(w, 4), irregular_taps(w, 5)), Method::separable,
                     grid, 2 * w});
  for (Index terms : {2, 3})
    for (Index w : {9, 15, 31})
      cases.push_back({fmt::format("cpu/sum_of_{}/{}/{}", terms, w, type), sum_of_outer(w, terms),
                       Method::separable, grid, terms * 2 * w});
  // Positive taps, as in smoothing masks. The input of `missing` has no missing points; in the
  // input of `some_missing`, every 1001st point is NaN.
  for (const auto& [words, every] :
       {std::pair{"missing", Index{0}}, {"some_missing", Index{1001}}}) {
    // clang before version 16 cannot capture structured bindings by &
    const auto add = [&, words = words, every = every](const std::string& what, const Mask& mask,
                                                       Method method, const Point& outputs,
                                                       Index adds) {
      cases.push_back({fmt::format("cpu/{}/{}/{}", words, what, type),
                       mask,
                       method,
                       outputs,
                       adds,
                       {1, 1},
                       0.5,
                       every});
    };
    for (Index w : {5, 17})
      add(fmt::format("line/{}", w), Mask::line(positive_taps(w, 6)), Method::direct, line, w);
    add("column/17", Mask::line(positive_taps(17, 6), y_axis), Method::direct, grid, 17);
    add("dense/5x5", Mask::grid(positive_taps(25, 7), 5, 5), Method::direct, grid, 25);
    add("separable/9", Mask::outer(positive_taps(9, 4), positive_taps(9, 5)), Method::separable,
        grid, 18);
  }
  cases.push_back({fmt::format("cpu/stride/line/17/2/{}", type),
                   Mask::line(irregular_taps(17, 8)),
                   Method::direct,
                   {1, 1, points / 2},
                   17,
                   {1, 2}});
  cases.push_back({fmt::format("cpu/stride/dense/5x5/2x2/{}", type),
                   Mask::grid(irregular_taps(25, 9), 5, 5),
                   Method::direct,
                   {1, side / 2, side / 2},
                   25,
                   {2, 2}});
  const auto volumes = volume_cases(type, points);
  cases.insert(cases.end(), volumes.begin(), volumes.end());
  return cases;
}

}  // namespace stencil::bench
