#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

enum class PassBand { lowpass, highpass, bandpass, bandstop };

/// `lowpass`, `highpass`, `bandpass`, `bandstop`.
const char* name_of(PassBand band);

/// How many cutoffs a band has.
std::size_t cutoffs_of(PassBand band);
/// Whether a band passes half of the sampling rate, which an even number of taps cannot.
bool passes_nyquist(PassBand band);

/// Window-method FIR filter: scipy.signal.firwin(taps, cutoff, window=window, pass_zero=band,
/// scale=True, fs=sampling_rate).
///
/// @param cutoff  one frequency (lowpass, highpass) or two (bandpass, bandstop), in the unit
///                of sampling_rate
/// @param window  `hamming`, `hann`, `blackman`, `blackmanharris`, `nuttall`, `bartlett`, `boxcar`,
///                `cosine`, `flattop`, `kaiser:BETA`, `gaussian:STD` as scipy.signal.get_window
///                (symmetric)
/// @throws ShapeError  a cutoff outside (0, sampling_rate / 2), cutoffs not increasing, an even
///                     number of taps for a band that passes the Nyquist frequency, an unknown
///                     window.
std::vector<double> firwin_taps(PassBand band, Index taps, const std::vector<double>& cutoff,
                                const std::string& window, double sampling_rate);

}  // namespace stencil
