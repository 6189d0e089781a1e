#include "kernels/families_firwin.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "framework/grid/error.hpp"
#include "kernels/window.hpp"

namespace stencil {
namespace {

double sinc(double x) {
  const double y = std::numbers::pi * x;
  return x == 0 ? 1 : std::sin(y) / y;
}

/// Checks the user's words; frequencies in the unit of the sampling rate.
void check(PassBand band, Index taps, const std::vector<double>& cutoff, double sampling_rate) {
  const char* name = name_of(band);
  if (taps < 1 || taps > Index(1) << 24) {
    throw ShapeError(fmt::format("{}: taps = {} must be 1 to {}", name, taps, 1 << 24));
  }
  if (!(sampling_rate > 0) || !std::isfinite(sampling_rate)) {
    throw ShapeError(fmt::format("{}: a sampling rate of {} must be above 0", name, sampling_rate));
  }
  const std::size_t wanted = band == PassBand::bandpass ? 2 : 1;
  if (cutoff.size() != wanted) {
    throw ShapeError(fmt::format("{}: cutoff has {} frequencies: give {}", name, cutoff.size(),
                                 wanted == 1 ? "one" : "two, the lower one first"));
  }
  for (const double f : cutoff) {
    if (!(f > 0 && f < sampling_rate / 2)) {
      throw ShapeError(
          fmt::format("{}: cutoff = {} must lie between 0 and {}, half of the sampling rate", name,
                      f, sampling_rate / 2));
    }
  }
  if (wanted == 2 && cutoff[0] >= cutoff[1]) {
    throw ShapeError(fmt::format("{}: cutoff = {} {} must increase: give the lower frequency first",
                                 name, cutoff[0], cutoff[1]));
  }
  if (band == PassBand::highpass && taps % 2 == 0) {
    throw ShapeError(fmt::format(
        "highpass: an even number of taps ({}) cannot pass half of the sampling rate: use {}", taps,
        taps + 1));
  }
}

}  // namespace

const char* name_of(PassBand band) {
  if (band == PassBand::lowpass) return "lowpass";
  return band == PassBand::highpass ? "highpass" : "bandpass";
}

std::vector<double> firwin_taps(PassBand band, Index taps, const std::vector<double>& cutoff,
                                const std::string& window, double sampling_rate) {
  check(band, taps, cutoff, sampling_rate);
  const double nyquist = sampling_rate / 2;
  // The band that passes, as fractions of the Nyquist frequency.
  const double left = band == PassBand::lowpass ? 0 : cutoff.front() / nyquist;
  const double right = band == PassBand::highpass ? 1 : cutoff.back() / nyquist;
  double scaled_at = (left + right) / 2;  // where the gain is made exactly 1
  if (band == PassBand::lowpass) scaled_at = 0;
  if (band == PassBand::highpass) scaled_at = 1;

  std::vector<double> filter = window_samples(window, taps);
  long double gain = 0;
  for (Index n = 0; n < taps; ++n) {
    const double m = double(n) - double(taps - 1) / 2;
    filter[n] *= right * sinc(right * m) - left * sinc(left * m);
    gain += filter[n] * std::cos(std::numbers::pi * m * scaled_at);
  }
  for (double& tap : filter) tap = double(tap / gain);
  return filter;
}

}  // namespace stencil
