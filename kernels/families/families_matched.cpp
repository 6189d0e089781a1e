#include "kernels/families/families_matched.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "framework/grid/error.hpp"
#include "kernels/fft/fourier.hpp"

namespace stencil {
namespace {

using List = std::vector<double>;
using Complex = std::complex<double>;
using Spectrum = std::vector<Complex>;

/// Returns exp(-i pi k^2 / n) for k in [0, n). The angle is reduced exactly.
Spectrum chirp_of(Index n) {
  Spectrum chirp;
  for (Index k = 0, square = 0; k < n; ++k) {  // `square` is k^2 modulo 2 n
    const long double turn = std::numbers::pi_v<long double> * static_cast<long double>(square) /
                             static_cast<long double>(n);
    square += 2 * k + 1;
    if (square >= 2 * n) square -= 2 * n;
    chirp.emplace_back(static_cast<double>(std::cos(turn)), static_cast<double>(-std::sin(turn)));
  }
  return chirp;
}

/// Discrete Fourier transforms of any length, computed as convolutions with a chirp (Bluestein, A
/// linear filtering approach to the computation of the discrete Fourier transform, 1968).
class AnyLength {
 public:
  explicit AnyLength(Index n)
      : n_(n),
        padded_(static_cast<Index>(std::bit_ceil(static_cast<std::size_t>(2 * n)))),
        roots_(roots_of_one(padded_)),
        chirp_(chirp_of(n)),
        filter_(static_cast<std::size_t>(padded_)) {
    for (Index k = 0; k < n_; ++k)
      filter_[at(k)] = filter_[at((padded_ - k) % padded_)] = std::conj(chirp_[at(k)]);
    transform(filter_.data(), padded_, roots_);
  }

  Spectrum transformed(const Spectrum& values) const {
    Spectrum work(filter_.size());
    for (Index k = 0; k < n_; ++k) work[at(k)] = values[at(k)] * chirp_[at(k)];
    transform(work.data(), padded_, roots_);
    // the inverse transform is the conjugate of the transform of the conjugate
    for (std::size_t k = 0; k < work.size(); ++k) work[k] = std::conj(work[k] * filter_[k]);
    transform(work.data(), padded_, roots_);
    Spectrum result(values.size());
    for (Index k = 0; k < n_; ++k)
      result[at(k)] = std::conj(work[at(k)]) * chirp_[at(k)] / static_cast<double>(padded_);
    return result;
  }

 private:
  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  Index n_, padded_;
  Spectrum roots_, chirp_, filter_;
};

/// Returns the density at frequency k of a transform of n points, by linear interpolation of `psd`.
double density_at(const List& psd, Index k, Index n) {
  const double place = 2.0 * double(std::min(k, n - k)) / double(n) * double(psd.size() - 1);
  const auto left = std::min(static_cast<std::size_t>(place), psd.size() - 1);
  const double share = place - double(left);
  if (share == 0) return psd[left];
  return psd[left] + share * (psd[left + 1] - psd[left]);
}

void check(const List& shape, const List& psd) {
  if (shape.empty()) throw ShapeError("the template has no points");
  for (const double value : shape)
    if (!std::isfinite(value)) throw ShapeError("the template holds NaN or Inf: mend it");
  if (std::all_of(shape.begin(), shape.end(), [](double value) { return value == 0; }))
    throw ShapeError("the template holds zeros alone, write another one");
  if (psd.size() == 1)
    throw ShapeError(
        "psd has one value: it needs two or more, spread evenly from 0 to half of the sampling "
        "rate");
  for (std::size_t i = 0; i < psd.size(); ++i)
    if (!(psd[i] > 0))
      throw ShapeError(fmt::format(
          "value {} of psd is {}: a power spectral density is above 0; write infinity where a "
          "frequency is to be left out",
          i, psd[i]));
}

List whitened(const List& shape, const List& psd) {
  const Index n = std::ssize(shape);
  const AnyLength fourier(n);
  Spectrum values = fourier.transformed(Spectrum(shape.begin(), shape.end()));
  // densities of strain are about 1e-46; dividing them by the smallest one avoids overflow and
  // underflow
  const double least = *std::min_element(psd.begin(), psd.end());
  for (Index k = 0; k < n; ++k) {
    const double density = density_at(psd, k, n) / least;
    Complex& value = values[static_cast<std::size_t>(k)];
    value = std::isfinite(density) ? std::conj(value / density) : Complex{};
  }
  List result;
  for (const Complex& value : fourier.transformed(values))
    result.push_back(value.real() / double(n));
  return result;
}

}  // namespace

std::vector<double> matched_taps(const List& shape, const List& psd) {
  check(shape, psd);
  const double largest = std::abs(*std::max_element(
      shape.begin(), shape.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
  List scaled = shape;  // scaled so that the squares do not over- or underflow
  for (double& value : scaled) value /= largest;
  List taps = psd.empty() ? scaled : whitened(scaled, psd);
  const double energy = std::inner_product(taps.begin(), taps.end(), scaled.begin(), 0.0);
  if (!(energy > 0) || !std::isfinite(energy))
    throw ShapeError("nothing is left of the template at frequencies at which psd is finite");
  for (double& tap : taps) tap /= energy * largest;
  return taps;
}

}  // namespace stencil
