#include "kernels/method.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Greatest common divisor of the entries of a row, or 1 where they are not all integers.
double common_divisor(const double* row, Index width) {
  std::int64_t divisor = 0;
  for (Index x = 0; x < width; ++x) {
    if (row[x] != std::trunc(row[x]) || std::abs(row[x]) > 9e15) return 1;
    divisor = std::gcd(divisor, std::int64_t(row[x]));
  }
  return double(divisor);
}

/// Column and row through the largest tap. For a mask of integers the row is divided by its common
/// divisor: every other row is then an integer multiple of it, and the column holds these integers.
Factors cross(const Taps& taps) {
  const auto pivot = std::max_element(taps.values.begin(), taps.values.end(),
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
  const Index place = pivot - taps.values.begin();
  const Index py = place / taps.width, px = place % taps.width;
  const double* pivot_row = &taps.values[py * taps.width];
  Factors factors;
  factors.row.assign(pivot_row, pivot_row + taps.width);
  const double divisor = common_divisor(pivot_row, taps.width);
  for (double& tap : factors.row) tap /= divisor;
  for (Index y = 0; y < taps.height; ++y) {
    factors.column.push_back(taps.at(y, px) / factors.row[px]);
  }
  return factors;
}

/// Largest |column * row - tap| over the largest |tap|.
double reconstruction_error(const Factors& factors, const Taps& taps) {
  double error = 0;
  for (Index y = 0; y < taps.height; ++y) {
    for (Index x = 0; x < taps.width; ++x) {
      error = std::max(error, std::abs(factors.column[y] * factors.row[x] - taps.at(y, x)));
    }
  }
  return error / largest(taps.values);
}

/// Whether the same taps are exactly 0 in the factors as in the mask: where zeros are skipped, NaN
/// and Inf reach the same outputs only then.
bool same_zeros(const Factors& factors, const Taps& taps) {
  for (Index y = 0; y < taps.height; ++y) {
    for (Index x = 0; x < taps.width; ++x) {
      if ((factors.column[y] != 0 && factors.row[x] != 0) != (taps.at(y, x) != 0)) return false;
    }
  }
  return true;
}

/// Second singular value over the first: 0 for an outer product, up to 1.
double second_singular_value(const Taps& taps) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd matrix =
      Eigen::Map<const RowMajor>(taps.values.data(), taps.height, taps.width);
  const Eigen::VectorXd sigma = Eigen::BDCSVD<Eigen::MatrixXd>(matrix).singularValues();
  return sigma(1) / sigma(0);
}

/// Multiplications for one output of the direct sum.
Index direct_taps(const Mask& mask) {
  const auto& values = mask.taps.values;
  if (mask.multiply_zeros) return Index(values.size());
  return Index(values.size()) - std::count(values.begin(), values.end(), 0.0);
}

MethodChoice direct(const Mask& mask, std::string reason) {
  return {Method::direct, mask, 0, std::move(reason), {}, 0};
}

/// A mask that is no outer product.
MethodChoice not_separable(const Mask& mask, MethodRequest request, double error) {
  const double second = second_singular_value(mask.taps);
  if (request == MethodRequest::separable) {
    throw ShapeError(fmt::format(
        "method = separable needs a mask that is a column times a row, but the second "
        "singular value of this one is {:.1e} of the first: use method = auto or direct",
        second));
  }
  return direct(mask, fmt::format("second singular value is {:.1e} of the first, no column times a "
                                  "row comes closer than {:.1e}",
                                  second, error));
}

/// A mask so large that only its factors were written out.
MethodChoice by_factors_only(const Mask& mask, MethodRequest request) {
  const Taps& taps = mask.taps;
  if (request == MethodRequest::direct)
    throw ShapeError(
        fmt::format("method = direct would take {} x {} taps a point: use method = auto",
                    taps.height, taps.width));
  return {Method::separable,
          mask,
          0,
          fmt::format("made as a column times a row, {} instead of {} taps a point",
                      taps.height + taps.width, taps.height * taps.width),
          {},
          0};
}

/// Multiply-adds from which on a plan is worth making: about a tenth of a millisecond of them.
constexpr double least_fft_adds = 1 << 24;

MethodChoice along_one_axis(const Mask& mask, MethodRequest request, const MethodSite& site) {
  const Index width = mask.taps.height * mask.taps.width;
  const bool automatic = request == MethodRequest::automatic;
  if (request == MethodRequest::fft) require_fft_possible(mask, site.renormalizes);
  const double outputs = double(site.lines) * double(site.axis_outputs);
  const bool may_be_fft = automatic && !site.renormalizes && width <= most_fft_points / 2 &&
                          outputs * double(width) >= least_fft_adds;
  if (request != MethodRequest::fft && !may_be_fft) return direct(mask, "the mask has one axis");

  constexpr Index long_axis = Index{1} << 26;
  const Index dense = site.axis_outputs > 0 ? (site.axis_outputs - 1) * site.stride + 1 : long_axis;
  MethodChoice choice{Method::fft, mask, 0, {}, {}, 0};
  choice.blocks = choose_fft_blocks(width, dense, site.lines);
  choice.fft_taps = fft_cost_in_taps(choice.blocks, dense, site.lines) * double(site.stride);
  if (automatic && choice.fft_taps >= double(width))
    return direct(mask, fmt::format("{} taps a point, no more than the {:.0f} that an fft costs",
                                    width, choice.fft_taps));
  choice.reason =
      fmt::format("{}blocks of {} points, at the cost of {:.0f} instead of {} taps a point",
                  automatic ? "" : "asked for, ", choice.blocks.points, choice.fft_taps, width);
  return choice;
}

}  // namespace

std::string to_string(Method method) {
  if (method == Method::fft) return "fft";
  return method == Method::separable ? "separable" : "direct";
}

MethodChoice choose_method(const Mask& mask, MethodRequest request, double precision_eps,
                           const MethodSite& site) {
  const Taps& taps = mask.taps;
  if (taps.height == 1 || taps.width == 1) return along_one_axis(mask, request, site);
  if (request == MethodRequest::fft) require_fft_possible(mask, site.renormalizes);
  if (taps.values.empty()) return by_factors_only(mask, request);
  if (largest(taps.values) == 0) return direct(mask, "all taps are 0");
  const Index one_pass = direct_taps(mask);
  if (request == MethodRequest::direct) {
    return direct(mask, fmt::format("asked for, {} taps a point", one_pass));
  }
  const Index two_passes = taps.height + taps.width;
  if (request == MethodRequest::automatic && two_passes >= one_pass) {
    return direct(mask, fmt::format("{} taps a point, no more than the {} of two passes", one_pass,
                                    two_passes));
  }

  MethodChoice choice{Method::separable, mask, 0, {}, {}, 0};
  if (!choice.mask.factors) choice.mask.factors = cross(taps);
  choice.error = reconstruction_error(*choice.mask.factors, taps);
  const bool known = mask.factors.has_value();
  const bool zeros_agree = mask.multiply_zeros || same_zeros(*choice.mask.factors, taps);
  if (!known && !(choice.error <= 4 * precision_eps && zeros_agree)) {
    return not_separable(mask, request, choice.error);
  }
  choice.reason = fmt::format("rank 1 within {:.0e} of the mask, {} instead of {} taps a point",
                              choice.error, two_passes, one_pass);
  return choice;
}

}  // namespace stencil
