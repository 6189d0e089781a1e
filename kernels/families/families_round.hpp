#pragma once

#include <array>
#include <vector>

#include "kernels/mask.hpp"

namespace stencil {

/// Radii along y and x, in points.
using Radii = std::array<double, 2>;

/// Equal taps, with a sum of 1, on the points within an ellipse and not within a smaller one:
/// `(y / radius_y)^2 + (x / radius_x)^2` is above 1 for the radii `inner` and at most 1 for
/// `outer`; 0 elsewhere.
///
/// @param inner  0: no hole
/// @throws ShapeError  a radius below 0, more than 2^20 taps, or no point between the two
Taps ring_taps(const Radii& inner, const Radii& outer);

/// The same along one axis.
std::vector<double> ring_taps(double inner, double outer);

/// Second derivatives of a Gaussian along both axes, summed: scipy.ndimage.gaussian_laplace.
///
/// @param sigma, radius  {y, x}, in points
/// @throws ShapeError  as gaussian_taps; more than 2^20 taps
Taps laplacian_of_gaussian(const std::array<double, 2>& sigma, const std::array<Index, 2>& radius);

/// A Gaussian minus one that is `ratio` times as wide, both cut off at `truncate` standard
/// deviations: scipy.ndimage.gaussian_filter twice.
///
/// @param sigma  of the narrow one, {y, x}, in points
/// @throws ShapeError  as gaussian_taps; more than 2^20 taps
Taps difference_of_gaussians(const std::array<double, 2>& sigma, double ratio, double truncate);

/// The same along one axis.
std::vector<double> difference_of_gaussians(double sigma, double ratio, double truncate);

}  // namespace stencil
