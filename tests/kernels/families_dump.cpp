// Prints the taps of a family, one per line, for families_scipy.py:
//
//     families_dump gaussian SIGMA ORDER TRUNCATE | box SIZE | laplace | derivative | sobel |
//     prewitt families_dump lowpass|highpass|bandpass TAPS WINDOW SAMPLING_RATE CUTOFF...
//     families_dump savgol SIZE POLYORDER DERIV DELTA

#include <fmt/format.h>

#include <exception>
#include <string>
#include <vector>

#include "kernels/families.hpp"
#include "kernels/families_firwin.hpp"
#include "kernels/families_savgol.hpp"

namespace {

using namespace stencil;

std::vector<double> taps_of(const std::vector<std::string>& words) {
  const std::string& family = words.at(0);
  const auto real = [&](int k) { return std::stod(words.at(k)); };
  const auto whole = [&](int k) { return std::stoi(words.at(k)); };
  if (family == "gaussian") return gaussian_taps(real(1), whole(2), real(3));
  if (family == "box") return box_taps(whole(1));
  if (family == "laplace") return laplace_taps();
  if (family == "derivative") return derivative_taps();
  if (family == "sobel") return sobel_smoothing_taps();
  if (family == "prewitt") return prewitt_smoothing_taps();
  if (family == "savgol") return savgol_taps(whole(1), whole(2), whole(3), real(4));
  const PassBand band = family == "lowpass"    ? PassBand::lowpass
                        : family == "highpass" ? PassBand::highpass
                                               : PassBand::bandpass;
  std::vector<double> cutoff;
  for (std::size_t k = 4; k < words.size(); ++k) cutoff.push_back(real(int(k)));
  return firwin_taps(band, whole(1), cutoff, words.at(2), real(3));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    for (const double tap : taps_of({argv + 1, argv + argc})) fmt::print("{:.17g}\n", tap);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
