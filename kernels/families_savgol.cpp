#include "kernels/families_savgol.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

void check(Index size, int polyorder, int deriv, double delta) {
  if (size < 1 || size % 2 == 0 || size > Index(1) << 24) {
    throw ShapeError(fmt::format("savgol: size = {} must be odd, 1 to {}", size, (1 << 24) - 1));
  }
  if (polyorder < 0 || polyorder >= size || polyorder > 64) {
    throw ShapeError(fmt::format("savgol: polyorder = {} must be 0 to {}", polyorder,
                                 std::min<Index>(size - 1, 64)));
  }
  if (deriv < 0) throw ShapeError(fmt::format("savgol: deriv = {} must be 0 or more", deriv));
  if (!(delta > 0) || !std::isfinite(delta)) {
    throw ShapeError(fmt::format("savgol: delta = {} must be above 0 (unit of the axis)", delta));
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(std::vector<double>& to, double factor, const std::vector<double>& values) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * values[i];
}

}  // namespace

std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta) {
  check(size, polyorder, deriv, delta);
  if (deriv > polyorder) return std::vector<double>(size, 0.0);
  // The taps are the derivative at 0 of the polynomial that fits best, as a function of the points:
  // the sum over orthonormal polynomials of the polynomial times its derivative at 0. Each is x
  // times the one before, made perpendicular to all before it; twice, since once rounds too much.
  const Index middle = size / 2;
  const double half = size > 1 ? double(middle) : 1;  // positions are scaled to [-1, 1]
  std::vector<std::vector<double>> polynomials;
  std::vector<std::vector<double>> at_zero;  // derivatives 0 ... deriv of each
  std::vector<double> taps(size, 0.0);
  for (int k = 0; k <= polyorder; ++k) {
    std::vector<double> values(size, 1.0), slopes(deriv + 1, 0.0);
    if (k == 0) slopes[0] = 1;
    if (k > 0) {
      for (Index i = 0; i < size; ++i)
        values[i] = double(i - middle) / half * polynomials.back()[i];
      for (int m = 1; m <= deriv; ++m) slopes[m] = m * at_zero.back()[m - 1];
    }
    for (int twice = 0; twice < 2; ++twice) {
      for (int j = 0; j < k; ++j) {
        const double part = dot(polynomials[j], values);
        add(values, -part, polynomials[j]);
        add(slopes, -part, at_zero[j]);
      }
    }
    const double length = std::sqrt(dot(values, values));
    for (double& value : values) value /= length;
    for (double& slope : slopes) slope /= length;
    add(taps, slopes[deriv] / std::pow(half * delta, deriv), values);
    polynomials.push_back(std::move(values));
    at_zero.push_back(std::move(slopes));
  }
  return taps;
}

}  // namespace stencil
