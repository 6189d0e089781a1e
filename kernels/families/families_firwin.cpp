#include "kernels/families/families_firwin.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "framework/grid/error.hpp"
#include "kernels/families/window.hpp"

namespace stencil {
namespace {

double sinc(double x) {
  const double y = std::numbers::pi * x;
  return x == 0 ? 1 : std::sin(y) / y;
}

/// Checks the user's arguments; frequencies have the unit of the sampling rate.
void check(PassBand band, Index taps, const std::vector<double>& cutoff, double sampling_rate) {
  const char* name = name_of(band);
  if (taps < 1 || taps > Index(1) << 24) {
    throw ShapeError(fmt::format("{}: taps = {} must be 1 to {}", name, taps, 1 << 24));
  }
  if (!(sampling_rate > 0) || !std::isfinite(sampling_rate)) {
    throw ShapeError(fmt::format("{}: a sampling rate of {} must be above 0", name, sampling_rate));
  }
  const std::size_t wanted = cutoffs_of(band);
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
  if (passes_nyquist(band) && taps % 2 == 0) {
    throw ShapeError(
        fmt::format("{}: an even number of taps ({}) cannot pass half of the sampling rate: use {}",
                    name, taps, taps + 1));
  }
}

}  // namespace

const char* name_of(PassBand band) {
  if (band == PassBand::lowpass) return "lowpass";
  if (band == PassBand::highpass) return "highpass";
  return band == PassBand::bandpass ? "bandpass" : "bandstop";
}

std::size_t cutoffs_of(PassBand band) {
  return band == PassBand::bandpass || band == PassBand::bandstop ? 2 : 1;
}

bool passes_nyquist(PassBand band) {
  return band == PassBand::highpass || band == PassBand::bandstop;
}

std::vector<double> firwin_taps(PassBand band, Index taps, const std::vector<double>& cutoff,
                                const std::string& window, double sampling_rate) {
  check(band, taps, cutoff, sampling_rate);
  const double nyquist = sampling_rate / 2;
  // The pass bands as fractions of the Nyquist frequency, two numbers for each band: its lower and
  // its upper end.
  std::vector<double> edges;
  if (band == PassBand::lowpass || band == PassBand::bandstop) edges.push_back(0);
  for (const double frequency : cutoff) edges.push_back(frequency / nyquist);
  if (passes_nyquist(band)) edges.push_back(1);
  double scaled_at = (edges[0] + edges[1]) / 2;  // frequency at which the gain is exactly 1
  if (edges[0] == 0) scaled_at = 0;
  if (band == PassBand::highpass) scaled_at = 1;

  std::vector<double> filter = window_samples(window, taps);
  long double gain = 0;
  for (Index n = 0; n < taps; ++n) {
    const double m = double(n) - double(taps - 1) / 2;
    double ideal = 0;
    for (std::size_t k = 0; k < edges.size(); k += 2)
      ideal += edges[k + 1] * sinc(edges[k + 1] * m) - edges[k] * sinc(edges[k] * m);
    filter[n] *= ideal;
    gain += filter[n] * std::cos(std::numbers::pi * m * scaled_at);
  }
  for (double& tap : filter) tap = double(tap / gain);
  return filter;
}

}  // namespace stencil
