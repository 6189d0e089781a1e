#pragma once

#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Returns Savitzky-Golay taps in the order of correlation: the reverse of
/// scipy.signal.savgol_coeffs(size, polyorder, deriv, delta), where delta may be below 0.
/// Correlation with these taps equals scipy.signal.savgol_filter away from the edges.
/// @throws ShapeError  size even, or polyorder >= size
std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta);

/// The best polynomial fit to `size` points x[i], or a derivative of the fit, at each of these
/// points, as sums over orthonormal polynomials. The value at point k is
///
///     sum_j at[j * size + k] * (sum_i basis[j * size + i] * x[i])
struct PolynomialFit {
  Index size = 1, terms = 0;  ///< number of points, and of polynomials
  std::vector<double> basis, at;

  bool operator==(const PolynomialFit&) const = default;
};

/// Returns the fit whose value at the middle point savgol_taps() computes.
/// @throws ShapeError  see savgol_taps(), or more than 65535 points
PolynomialFit savgol_fit(Index size, int polyorder, int deriv, double delta);

}  // namespace stencil
