#pragma once

#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Returns the taps of a matched filter, to be correlated with data: where the data contain the
/// template multiplied by A, the output is A. Without a spectrum the taps are `h / sum(h^2)`. With
/// a spectrum they are the template divided by the power spectral density of the noise, normalized
/// by their scalar product with the template:
///
///     w = irfft(rfft(h) / S),  taps = w / sum(h w)
///
/// The output is the estimate of A with the least variance in Gaussian noise of that density
/// (Turin, An introduction to matched filters, IRE Trans. Inf. Theory 6, 1960). The transforms are
/// periodic with the length of the template.
///
/// @param shape  the template h
/// @param psd    S, at evenly spaced frequencies from 0 to half of the sampling rate, in any unit;
///               interpolated linearly to the frequencies of rfft(h). Infinity excludes a
///               frequency. If empty, the noise is white
/// @throws ShapeError  the template has no points, points that are not finite, or only zeros; fewer
///                     than two densities, or one that is not above 0; all frequencies of the
///                     template are excluded
std::vector<double> matched_taps(const std::vector<double>& shape, const std::vector<double>& psd);

}  // namespace stencil
