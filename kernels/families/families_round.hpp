#pragma once

#include <array>
#include <vector>

#include "kernels/mask.hpp"

namespace stencil {

/// Radii in points, {y, x} or {batch, y, x}.
using Radii = std::vector<double>;

/// Returns equal taps, with a sum of 1, at the points inside an ellipse and outside a smaller one:
/// `(y / radius_y)^2 + (x / radius_x)^2` is above 1 for the radii `inner` and at most 1 for
/// `outer`; the other taps are 0. With three radii, the shapes are ellipsoids.
///
/// @param inner  as many radii as `outer`; a radius of 0 means that there is no hole
/// @throws ShapeError  a radius below 0, too many taps (most_outer_taps, most_volume_taps), or no
///                     point between the two ellipses
Taps ring_taps(const Radii& inner, const Radii& outer);

/// Returns the taps of a ring along one axis: a segment with a hole.
std::vector<double> ring_taps(double inner, double outer);

/// Returns the sum of the second derivatives of a Gaussian along two or three axes:
/// scipy.ndimage.gaussian_laplace.
///
/// @param sigma, radius  {y, x} or {batch, y, x}, in points
/// @param divisors  numbers by which the derivatives along the axes are divided; if empty, 1
/// @throws ShapeError  see gaussian_taps(), or too many taps, see ring_taps()
Taps laplacian_of_gaussian(const std::vector<double>& sigma, const std::vector<Index>& radius,
                           const std::vector<double>& divisors = {});

/// Returns a Gaussian minus a Gaussian that is `ratio` times as wide, both truncated at `truncate`
/// standard deviations: the difference of two calls of scipy.ndimage.gaussian_filter.
///
/// @param sigma  standard deviations of the narrow Gaussian, {y, x} or {batch, y, x}, in points
/// @throws ShapeError  see gaussian_taps(), or too many taps, see ring_taps()
Taps difference_of_gaussians(const std::vector<double>& sigma, double ratio, double truncate);

/// Returns the sum of products of three lists of taps, one for each axis, {batch, y, x}. Shorter
/// lists are centred in the longest list of their axis.
///
/// @returns a mask with these products as its factors; taps of 0 are multiplied by their inputs
/// @throws ShapeError  more than most_volume_taps
Mask sum_of_products(const std::vector<std::array<std::vector<double>, 3>>& products,
                     const std::array<Index, 3>& origin = {});

/// Returns the difference of two Gaussians along one axis; see the function of the same name for
/// several axes.
std::vector<double> difference_of_gaussians(double sigma, double ratio, double truncate);

}  // namespace stencil
