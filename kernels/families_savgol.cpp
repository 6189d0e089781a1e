#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "framework/grid/error.hpp"
#include "kernels/families.hpp"

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

}  // namespace

std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta) {
  check(size, polyorder, deriv, delta);
  if (deriv > polyorder) return std::vector<double>(size, 0.0);
  // Positions scaled to [-1, 1]: powers of them stay well conditioned.
  const double half = size > 1 ? double(size / 2) : 1;
  Eigen::MatrixXd powers(size, polyorder + 1);
  for (Index i = 0; i < size; ++i) {
    double power = 1;
    for (int k = 0; k <= polyorder; ++k, power *= double(i - size / 2) / half) powers(i, k) = power;
  }
  // The taps are the shortest c with powers^T c = e_deriv * deriv! / step^deriv: with powers = Q R,
  // c = Q R^-T e.
  Eigen::VectorXd moment = Eigen::VectorXd::Zero(polyorder + 1);
  moment(deriv) = std::tgamma(double(deriv) + 1) / std::pow(half * delta, deriv);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(powers);
  const auto r = qr.matrixQR().topRows(polyorder + 1);
  Eigen::VectorXd taps = Eigen::VectorXd::Zero(size);
  taps.head(polyorder + 1) = r.triangularView<Eigen::Upper>().transpose().solve(moment);
  taps = qr.householderQ() * taps;
  return {taps.data(), taps.data() + size};
}

}  // namespace stencil
