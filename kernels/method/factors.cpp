#include "kernels/method/factors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/stencil.hpp"

namespace stencil {
namespace {

double largest(const std::vector<double>& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Greatest common divisor of the entries of a row, or 1 if they are not all integers.
double common_divisor(const double* row, Index width) {
  std::int64_t divisor = 0;
  for (Index x = 0; x < width; ++x) {
    if (row[x] != std::trunc(row[x]) || std::abs(row[x]) > 9e15) return 1;
    divisor = std::gcd(divisor, std::int64_t(row[x]));
  }
  return double(divisor);
}

/// Returns the column and the row through the largest tap. If the taps are integers, the row is
/// divided by its greatest common divisor. For a mask of rank 1, every row of the mask is then an
/// integer multiple of this row, and the column consists of these integers.
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

/// One tap of the sum of outer products.
double tap_of(const Factors& factors, const Taps& taps, Index z, Index y, Index x) {
  double tap = 0;
  for (Index k = 0; k < factors.terms; ++k) {
    const double plane = factors.plane.empty() ? 1 : factors.plane[k * taps.depth + z];
    tap += plane * (factors.column[k * taps.height + y] * factors.row[k * taps.width + x]);
  }
  return tap;
}

/// Calls `see` with the absolute difference between each tap and the tap computed from the factors,
/// in row-major order.
template <class See>
void see_differences(const Factors& factors, const Taps& taps, See see) {
  const double* tap = taps.values.data();
  for (Index z = 0; z < taps.depth; ++z)
    for (Index y = 0; y < taps.height; ++y)
      for (Index x = 0; x < taps.width; ++x) see(std::abs(tap_of(factors, taps, z, y, x) - *tap++));
}

double absolute_sum(const double* values, Index count) {
  return std::accumulate(values, values + count, 0.0,
                         [](double sum, double value) { return sum + std::abs(value); });
}

/// Returns the singular values in descending order, divided by the first one. They are computed by
/// Jacobi rotations, which take 0.3 to 0.5 s for 257 x 257. Eigen's faster BDCSVD would take four
/// times as long to compile.
std::vector<double> singular_values(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd sigma = Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues();
  std::vector<double> values(sigma.data(), sigma.data() + sigma.size());
  for (double& value : values) value /= sigma(0);
  return values;
}

/// Returns the taps of a mask of three axes as a matrix with a row for every index along `axis`,
/// and a column for every pair of indices along the two other axes.
Eigen::MatrixXd unfolded(const Taps& taps, Axis axis) {
  const Point extent{taps.depth, taps.height, taps.width};
  Eigen::MatrixXd matrix(extent[axis], taps.count() / extent[axis]);
  Index n = 0;
  Point at;
  for (at[0] = 0; at[0] < extent[0]; ++at[0])
    for (at[1] = 0; at[1] < extent[1]; ++at[1])
      for (at[2] = 0; at[2] < extent[2]; ++at[2]) {
        const Point place{at[1] * extent[2] + at[2], at[0] * extent[2] + at[2],
                          at[0] * extent[1] + at[1]};
        matrix(at[axis], place[axis]) = taps.values[n++];
      }
  return matrix;
}

Index rank_of(const std::vector<double>& singular, double precision_eps) {
  return std::count_if(singular.begin(), singular.end(),
                       [&](double value) { return value > 4 * precision_eps; });
}

std::string rank_words_of_volume(const Taps& taps, double precision_eps, Index most_side) {
  if (std::max({taps.depth, taps.height, taps.width}) > most_side)
    return fmt::format("{} x {} x {} taps, too many to find its rank", taps.depth, taps.height,
                       taps.width);
  std::array<Index, axes> ranks{};
  double second = 0;
  for (int axis = 0; axis < axes; ++axis) {
    const std::vector<double> values = singular_values(unfolded(taps, Axis(axis)));
    ranks[axis] = rank_of(values, precision_eps);
    if (values.size() > 1) second = std::max(second, values[1]);
  }
  return fmt::format("ranks {} along its axes, second singular values up to {:.1e} of the first",
                     fmt::join(ranks, " "), second);
}

}  // namespace

Factors product_of_lines(const Taps& taps) {
  const Factors planes = cross({taps.depth, taps.height * taps.width, taps.values});
  Factors factors = cross({taps.height, taps.width, planes.row});
  factors.plane = planes.column;
  return factors;
}

Factors sum_of_crosses(const Taps& taps, double precision_eps) {
  Factors all = cross(taps);
  Taps rest = taps;
  while (all.terms < most_terms && !give_back(all, taps, precision_eps)) {
    const double* column = &all.column[(all.terms - 1) * taps.height];
    const double* row = &all.row[(all.terms - 1) * taps.width];
    for (Index y = 0; y < taps.height; ++y)
      for (Index x = 0; x < taps.width; ++x) rest.values[y * taps.width + x] -= column[y] * row[x];
    if (largest(rest.values) == 0) break;
    const Factors next = cross(rest);
    all.column.insert(all.column.end(), next.column.begin(), next.column.end());
    all.row.insert(all.row.end(), next.row.begin(), next.row.end());
    ++all.terms;
  }
  return all;
}

double reconstruction_error(const Factors& factors, const Taps& taps) {
  double error = 0;
  see_differences(factors, taps, [&](double difference) { error = std::max(error, difference); });
  return error / largest(taps.values);
}

bool give_back(const Factors& factors, const Taps& taps, double precision_eps) {
  if (!(reconstruction_error(factors, taps) <= 4 * precision_eps)) return false;
  double off = 0;
  see_differences(factors, taps, [&](double difference) { off += difference; });
  const Index w = taps.count();
  return off <= 0.5 * double(w) * precision_eps * absolute_sum(taps.values.data(), w);
}

double mass(const Factors& factors, const Taps& taps) {
  double sum = 0;
  for (Index k = 0; k < factors.terms; ++k)
    sum += absolute_sum(&factors.column[k * taps.height], taps.height) *
           absolute_sum(&factors.row[k * taps.width], taps.width);
  return sum / absolute_sum(taps.values.data(), Index(taps.values.size()));
}

bool are_integers(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return value == std::trunc(value); });
}

bool same_zeros(const Factors& factors, const Taps& taps) {
  const double* tap = taps.values.data();
  for (Index z = 0; z < taps.depth; ++z) {
    const bool has_plane = factors.plane.empty() || factors.plane[z] != 0;
    for (Index y = 0; y < taps.height; ++y)
      for (Index x = 0; x < taps.width; ++x)
        if ((has_plane && factors.column[y] != 0 && factors.row[x] != 0) != (*tap++ != 0))
          return false;
  }
  return true;
}

std::string rank_words(const Taps& taps, double precision_eps, Index most_side) {
  if (taps.depth > 1) return rank_words_of_volume(taps, precision_eps, most_side);
  if (std::min(taps.height, taps.width) > most_side)
    return fmt::format("{} x {} taps, too many to find its rank", taps.height, taps.width);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const std::vector<double> values =
      singular_values(Eigen::Map<const RowMajor>(taps.values.data(), taps.height, taps.width));
  std::string words = fmt::format("rank {}, singular values 1", rank_of(values, precision_eps));
  constexpr std::size_t shown = most_terms + 1;
  for (std::size_t k = 1; k < std::min(values.size(), shown); ++k)
    words += fmt::format(", {:.1e}", values[k]);
  return words + (values.size() > shown ? ", ... of the first" : " of the first");
}

}  // namespace stencil
