#pragma once

#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Returns the taps of a Gaussian or of its derivative in the order of
/// scipy.ndimage.gaussian_filter1d (correlate), with the radius `int(truncate * sigma + 0.5)`.
/// @throws ShapeError  sigma <= 0, order < 0, truncate <= 0, or more than 2^24 taps
std::vector<double> gaussian_taps(double sigma, int order, double truncate);

/// Returns the radius of the taps of gaussian_taps().
/// @throws ShapeError  see gaussian_taps()
Index gaussian_radius(double sigma, double truncate);

/// Like gaussian_taps(), for a given radius.
std::vector<double> gaussian_taps_within(double sigma, int order, Index radius);

/// Returns `size` equal taps of 1 / size: scipy.ndimage.uniform_filter1d.
std::vector<double> box_taps(Index size);

/// Returns the taps `1 -2 1`: scipy.ndimage.laplace along one axis.
std::vector<double> laplace_taps();

/// Return the taps `-1 0 1` along the axis of a derivative, and the smoothing taps along the other
/// axes: `1 2 1` for scipy.ndimage.sobel, `1 1 1` for scipy.ndimage.prewitt.
std::vector<double> derivative_taps();
std::vector<double> sobel_smoothing_taps();
std::vector<double> prewitt_smoothing_taps();

}  // namespace stencil
