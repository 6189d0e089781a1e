#include "kernels/fft_plan.hpp"

#include <cmath>
#include <complex>
#include <numbers>

namespace stencil {
namespace {

using Precise = std::complex<long double>;

/// exp(-2 pi i k / n) for k in [0, n)
std::vector<Precise> roots_of_one(Index n) {
  std::vector<Precise> roots(n);
  for (Index k = 0; k < n; ++k) {
    const long double angle = -2 * std::numbers::pi_v<long double> * (long double)(k) / n;
    roots[k] = {std::cos(angle), std::sin(angle)};
  }
  return roots;
}

/// Eights as far as they go, and one or two fours. @pre points is a power of two, at least 4
std::vector<int> radices_of(Index points) {
  int bits = 0;
  while ((Index{1} << bits) < points) ++bits;
  std::vector<int> radices;
  for (; bits % 3 != 0; bits -= 2) radices.push_back(4);
  for (; bits > 0; bits -= 3) radices.push_back(8);
  return radices;
}

/// DFT by halving: the even ones, the odd ones, and one pass over both.
/// @param roots  of the longest transform
std::vector<Precise> transformed(const std::vector<Precise>& values,
                                 const std::vector<Precise>& roots) {
  const std::size_t half = values.size() / 2;
  if (half == 0) return values;
  std::vector<Precise> even(half), odd(half);
  for (std::size_t k = 0; k < half; ++k) even[k] = values[2 * k], odd[k] = values[2 * k + 1];
  even = transformed(even, roots);
  odd = transformed(odd, roots);
  std::vector<Precise> result(values.size());
  for (std::size_t k = 0; k < half; ++k) {
    const Precise turned = roots[k * (roots.size() / values.size())] * odd[k];
    result[k] = even[k] + turned;
    result[k + half] = even[k] - turned;
  }
  return result;
}

}  // namespace

Index permuted(Index frequency, Index points, const std::vector<int>& radices) {
  Index place = 0;
  for (const int radix : radices) {
    points /= radix;
    place += frequency % radix * points;
    frequency /= radix;
  }
  return place;
}

template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks) {
  FftPlan<T> plan{blocks, radices_of(blocks.points), {}, {}};
  const std::vector<Precise> roots = roots_of_one(blocks.points);
  Index part = blocks.points;
  for (std::size_t pass = 0; pass + 1 < plan.radices.size(); ++pass) {
    const int radix = plan.radices[pass];
    for (Index j = 0; j < part / radix; ++j)
      for (int m = 1; m < radix; ++m) {
        const Precise twiddle = roots[m * j * (blocks.points / part)];
        plan.twiddles.push_back(T(twiddle.real()));
        plan.twiddles.push_back(T(twiddle.imag()));
      }
    part /= radix;
  }
  std::vector<Precise> values(blocks.points);
  for (std::size_t k = 0; k < taps.size(); ++k) values[k] = taps[k];
  const std::vector<Precise> spectrum = transformed(values, roots);
  plan.spectrum.resize(2 * blocks.points);
  for (Index f = 0; f < blocks.points; ++f) {
    const Index place = permuted(f, blocks.points, plan.radices);
    plan.spectrum[2 * place] = T(spectrum[f].real() / blocks.points);
    plan.spectrum[2 * place + 1] = T(-spectrum[f].imag() / blocks.points);
  }
  return plan;
}

template FftPlan<float> make_fft_plan(const std::vector<float>&, const FftBlocks&);
template FftPlan<double> make_fft_plan(const std::vector<double>&, const FftBlocks&);

}  // namespace stencil
