#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Taps of a Gaussian or its derivative, as scipy.ndimage.gaussian_filter1d lays them on the input
/// (correlate): radius `int(truncate * sigma + 0.5)`.
/// @throws ShapeError  sigma <= 0, order < 0, truncate <= 0, or more than 2^24 taps.
std::vector<double> gaussian_taps(double sigma, int order, double truncate);

/// `size` equal taps of 1 / size: scipy.ndimage.uniform_filter1d.
std::vector<double> box_taps(Index size);

/// `1 -2 1`: scipy.ndimage.laplace along one axis.
std::vector<double> laplace_taps();

/// `-1 0 1` and the smoothing across it, `1 2 1` or `1 1 1`: scipy.ndimage.sobel and prewitt.
std::vector<double> derivative_taps();
std::vector<double> sobel_smoothing_taps();
std::vector<double> prewitt_smoothing_taps();

enum class PassBand { lowpass, highpass, bandpass };

/// Window-method FIR filter: scipy.signal.firwin(taps, cutoff, window=window, pass_zero=band,
/// scale=True, fs=sampling_rate).
///
/// @param cutoff  one frequency (lowpass, highpass) or two (bandpass), in the unit of sampling_rate
/// @param window  `hamming`, `hann`, `blackman`, `blackmanharris`, `nuttall`, `bartlett`, `boxcar`,
///                `cosine`, `flattop`, `kaiser:BETA`, `gaussian:STD` as scipy.signal.get_window
///                (symmetric)
/// @throws ShapeError  a cutoff outside (0, sampling_rate / 2), cutoffs not increasing, an even
/// number
///                     of taps for a band that passes the Nyquist frequency, an unknown window.
std::vector<double> firwin_taps(PassBand band, Index taps, const std::vector<double>& cutoff,
                                const std::string& window, double sampling_rate);

/// Savitzky-Golay taps in correlate order: the reverse of scipy.signal.savgol_coeffs(size,
/// polyorder, deriv, delta), so that correlating equals scipy.signal.savgol_filter away from the
/// edges.
/// @throws ShapeError  size even, or polyorder >= size.
std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta);

}  // namespace stencil
