#include "kernels/families/families.hpp"

#include <fmt/core.h>

#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

constexpr double largest_mask = double(1 << 24);

/// Returns samples of exp(-x^2 / (2 sigma^2)) at -radius ... radius, divided by their sum.
std::vector<double> normalized_gaussian(double sigma, Index radius) {
  std::vector<double> phi(2 * radius + 1);
  const double factor = -0.5 / (sigma * sigma);
  long double sum = 0;
  for (Index x = -radius; x <= radius; ++x) {
    phi[x + radius] = std::exp(factor * double(x) * double(x));
    sum += phi[x + radius];
  }
  for (double& value : phi) value = double(value / sum);
  return phi;
}

/// Returns the coefficients of the polynomial q, lowest power first, where q(x) exp(p(x)) is the
/// derivative of exp(p(x)) of the given order and p = -x^2 / (2 sigma^2). One derivative turns q
/// into q' + q p'.
std::vector<double> derivative_polynomial(double sigma, int order) {
  std::vector<double> q(order + 1, 0.0);
  q[0] = 1;
  for (int n = 0; n < order; ++n) {
    std::vector<double> next(order + 1, 0.0);
    for (int k = 0; k <= n; ++k) {
      if (k > 0) next[k - 1] += k * q[k];
      next[k + 1] += q[k] / -(sigma * sigma);
    }
    q = next;
  }
  return q;
}

void require_sigma(double sigma) {
  if (sigma > 0 && std::isfinite(sigma)) return;
  throw ShapeError(fmt::format("gaussian: sigma = {} must be above 0 (in points)", sigma));
}

}  // namespace

Index gaussian_radius(double sigma, double truncate) {
  require_sigma(sigma);
  if (!(truncate > 0) || !std::isfinite(truncate)) {
    throw ShapeError(fmt::format("gaussian: truncate = {} must be above 0 (in sigmas)", truncate));
  }
  const double reach = std::floor(truncate * sigma + 0.5);
  if (2 * reach + 1 > largest_mask) {
    throw ShapeError(fmt::format(
        "gaussian: sigma = {} and truncate = {} make {:.0f} taps, more than {:.0f}: use "
        "a smaller sigma or truncate",
        sigma, truncate, 2 * reach + 1, largest_mask));
  }
  return Index(reach);
}

std::vector<double> gaussian_taps(double sigma, int order, double truncate) {
  return gaussian_taps_within(sigma, order, gaussian_radius(sigma, truncate));
}

std::vector<double> gaussian_taps_within(double sigma, int order, Index radius) {
  require_sigma(sigma);
  if (order < 0 || order > 32) {
    throw ShapeError(fmt::format("gaussian: order = {} must be 0 (smooth) to 32", order));
  }
  if (radius < 0 || 2 * double(radius) + 1 > largest_mask) {
    throw ShapeError(fmt::format("gaussian: radius = {} must be 0 to {:.0f} points", radius,
                                 (largest_mask - 1) / 2));
  }
  std::vector<double> taps = normalized_gaussian(sigma, radius);
  if (order == 0) return taps;
  const std::vector<double> q = derivative_polynomial(sigma, order);
  for (Index x = -radius; x <= radius; ++x) {
    // correlation uses the mirrored kernel, so the polynomial is evaluated at -x
    double value = 0;
    for (int k = order; k >= 0; --k) value = value * double(-x) + q[k];
    taps[x + radius] *= value;
  }
  return taps;
}

std::vector<double> box_taps(Index size) {
  if (size < 1 || double(size) > largest_mask) {
    throw ShapeError(fmt::format("box: size = {} must be 1 to {:.0f} points", size, largest_mask));
  }
  return std::vector<double>(size, 1.0 / double(size));
}

std::vector<double> laplace_taps() {
  return {1, -2, 1};
}
std::vector<double> derivative_taps() {
  return {-1, 0, 1};
}
std::vector<double> sobel_smoothing_taps() {
  return {1, 2, 1};
}
std::vector<double> prewitt_smoothing_taps() {
  return {1, 1, 1};
}

}  // namespace stencil
