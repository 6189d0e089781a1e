#pragma once

#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Savitzky-Golay taps in correlate order: the reverse of scipy.signal.savgol_coeffs(size,
/// polyorder, deriv, delta), so that correlating equals scipy.signal.savgol_filter away from the
/// edges.
/// @throws ShapeError  size even, or polyorder >= size.
std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta);

/// The best polynomial fit to `size` points, or its derivative, at each of these points, as sums
/// over orthonormal polynomials. At point k it is
///
///     sum_j at[j * size + k] * (sum_i basis[j * size + i] * x[i])
struct PolynomialFit {
  Index size = 1, terms = 0;  ///< points, and polynomials
  std::vector<double> basis, at;

  bool operator==(const PolynomialFit&) const = default;
};

/// The fit of which savgol_taps() are the value at the middle.
/// @throws ShapeError  as savgol_taps(); more than 65535 points
PolynomialFit savgol_fit(Index size, int polyorder, int deriv, double delta);

}  // namespace stencil
