#include "drivers/config/known_elsewhere.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "drivers/config/keys.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

/// Filter names, separated by blanks, that share one piece of advice.
struct Row {
  std::string_view names, advice;
};

constexpr Row rows[] = {
    {"notch iirnotch iirpeak iircomb band_stop",
     "there are no notches, the nearest is bandstop: write mask = bandstop with taps and cutoff, "
     "or "
     "design the taps elsewhere (scipy.signal.firwin) and write mask = file.h5:/dataset"},
    {"butter butterworth cheby1 cheby2 chebyshev bessel ellip elliptic iirfilter iirdesign lfilter "
     "sosfilt filtfilt sosfiltfilt",
     "recursive filters are not supported, as a stencil is a weighted sum of a few points: write "
     "mask = lowpass, highpass, bandpass or bandstop with taps and cutoff, whose output has no "
     "delay"},
    {"hilbert envelope analytic",
     "there is no Hilbert transformer by name: design its taps elsewhere (scipy.signal.remez with "
     "type = 'hilbert') and write mask = file.h5:/dataset"},
    {"detrend demean",
     "a trend is fitted to a whole line, which no mask reaches: remove it before, or write mask = "
     "highpass with taps and cutoff"},
    {"resample resample_poly decimate downsample interpolate upfirdn zoom rescale",
     "sampling rates are divided by whole numbers only: write mask = lowpass with taps and cutoff, "
     "and stride = n for every n-th output"},
    {"median medfilt medfilt2d percentile quantile rank order mode majority minimum maximum min "
     "max "
     "minimum_maximum range erosion dilation opening closing tophat top_hat white_tophat "
     "black_tophat bottom_hat grey_erosion grey_dilation grey_opening grey_closing binary_erosion "
     "binary_dilation binary_opening binary_closing morphological_gradient morphological_laplace "
     "gaussian_gradient_magnitude generic_gradient_magnitude canny bilateral non_local_means "
     "wiener "
     "std stdev variance var hampel",
     "no such family, and no mask computes it, as a stencil is a weighted sum: filter the file "
     "before "
     "or the output after the run with scipy.ndimage (median_filter, maximum_filter, white_tophat "
     "...) or scikit-image"},
    {"cumsum cumtrapz integrate integral",
     "an integral sums a whole line, which no mask reaches: sum the output elsewhere "
     "(numpy.cumsum)"},
    {"mean average uniform boxcar moving_average moving_mean running_mean rolling rolling_mean "
     "blur",
     "no such family, it is called box here: write mask = box with size"},
    {"savitzky_golay savitzkygolay sgolay sgolayfilt",
     "no such family: write mask = savgol with size and polyorder"},
    {"laplacian", "no such family: write mask = laplace"},
    {"gaussian_laplace laplacian_of_gaussian", "no such family: write mask = log with sigma"},
    {"difference_of_gaussians", "no such family: write mask = dog with sigma and ratio"},
    {"gradient derivative diff differentiate",
     "no such family: write mask = savgol with size, polyorder and deriv, or taps such as -0.5 0 "
     "0.5"},
    {"low_pass high_pass band_pass firwin fir fir1 firls remez",
     "no such family: write mask = lowpass, highpass, bandpass or bandstop with taps and cutoff"},
};

std::string plain(std::string_view name) {
  std::string word;
  for (const char c : name)
    word +=
        c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view ending : {"_filter1d", "_filter"})
    if (word.size() > ending.size() && word.ends_with(ending))
      word.erase(word.size() - ending.size());
  return word;
}

bool is_among(std::string_view names, const std::string& word) {
  const auto words = split_words(names);
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string advice_for(std::string_view name) {
  const std::string word = plain(name);
  const auto found = std::find_if(std::begin(rows), std::end(rows),
                                  [&](const Row& row) { return is_among(row.names, word); });
  if (found != std::end(rows)) return std::string(found->advice);
  if (find_family(word) != nullptr && word != name) return "no such family: write mask = " + word;
  return "";
}

}  // namespace stencil
