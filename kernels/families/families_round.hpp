#pragma once

#include <array>
#include <vector>

#include "kernels/mask.hpp"

namespace stencil {

/// Radii in points, {y, x} or {batch, y, x}.
using Radii = std::vector<double>;

/// Equal taps, with a sum of 1, on the points within an ellipse and not within a smaller one:
/// `(y / radius_y)^2 + (x / radius_x)^2` is above 1 for the radii `inner` and at most 1 for
/// `outer`; 0 elsewhere. With three radii, the points lie within ellipsoids.
///
/// @param inner  as many as `outer`; a radius of 0: no hole
/// @throws ShapeError  a radius below 0, too many taps (most_outer_taps, most_volume_taps), or no
///                     point between the two
Taps ring_taps(const Radii& inner, const Radii& outer);

/// The taps of a ring along one axis: a segment with a hole.
std::vector<double> ring_taps(double inner, double outer);

/// Second derivatives of a Gaussian along two or three axes, summed:
/// scipy.ndimage.gaussian_laplace.
///
/// @param sigma, radius  {y, x} or {batch, y, x}, in points
/// @throws ShapeError  as gaussian_taps; too many taps, as ring_taps
Taps laplacian_of_gaussian(const std::vector<double>& sigma, const std::vector<Index>& radius);

/// A Gaussian minus one that is `ratio` times as wide, both cut off at `truncate` standard
/// deviations: scipy.ndimage.gaussian_filter twice.
///
/// @param sigma  standard deviations of the narrow Gaussian, {y, x} or {batch, y, x}, in points
/// @throws ShapeError  as gaussian_taps; too many taps, as ring_taps
Taps difference_of_gaussians(const std::vector<double>& sigma, double ratio, double truncate);

/// The sum of products of one list of taps for each of three axes, {batch, y, x}. Shorter lists are
/// centred in the longest along their axis.
///
/// @returns a mask with these products as its factors, which multiplies taps of 0
/// @throws ShapeError  more than most_volume_taps
Mask sum_of_products(const std::vector<std::array<std::vector<double>, 3>>& products,
                     const std::array<Index, 3>& origin = {});

/// Like difference_of_gaussians() above, along one axis.
std::vector<double> difference_of_gaussians(double sigma, double ratio, double truncate);

}  // namespace stencil
