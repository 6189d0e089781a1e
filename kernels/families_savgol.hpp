#pragma once

#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Savitzky-Golay taps in correlate order: the reverse of scipy.signal.savgol_coeffs(size,
/// polyorder, deriv, delta), so that correlating equals scipy.signal.savgol_filter away from the
/// edges.
/// @throws ShapeError  size even, or polyorder >= size.
std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta);

}  // namespace stencil
