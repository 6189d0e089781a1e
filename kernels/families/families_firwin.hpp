#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

enum class PassBand { lowpass, highpass, bandpass, bandstop };

/// Returns `lowpass`, `highpass`, `bandpass` or `bandstop`.
const char* name_of(PassBand band);

/// Number of cutoff frequencies of a band.
std::size_t cutoffs_of(PassBand band);
/// Returns whether a band passes half of the sampling rate, which is impossible with an even number
/// of taps.
bool passes_nyquist(PassBand band);

/// Returns the taps of a window-method FIR filter: scipy.signal.firwin(taps, cutoff, window=window,
/// pass_zero=band, scale=True, fs=sampling_rate).
///
/// @param cutoff  one frequency (lowpass, highpass) or two (bandpass, bandstop), in the unit of
///                sampling_rate
/// @param window  `hamming`, `hann`, `blackman`, `blackmanharris`, `nuttall`, `bartlett`, `boxcar`,
///                `cosine`, `flattop`, `kaiser:BETA` or `gaussian:STD`, as in
///                scipy.signal.get_window (symmetric)
/// @throws ShapeError  a cutoff outside (0, sampling_rate / 2), cutoffs not increasing, an even
///                     number of taps for a band that passes the Nyquist frequency, an unknown
///                     window
std::vector<double> firwin_taps(PassBand band, Index taps, const std::vector<double>& cutoff,
                                const std::string& window, double sampling_rate);

}  // namespace stencil
