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

/// No, one or two fours, and eights. @pre points is a power of two, at least 32
std::vector<int> radices_of(Index points) {
  int bits = 0;
  while ((Index{1} << bits) < points) ++bits;
  std::vector<int> radices;
  for (; bits % 3 != 0; bits -= 2) radices.push_back(4);
  for (; bits > 0; bits -= 3) radices.push_back(8);
  return radices;
}

template <class T>
void set(FftEight<T>& eight, Index k, Precise value) {
  eight.re[k] = T(value.real());
  eight.im[k] = T(value.imag());
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

Index permuted(Index k, Index points, const std::vector<int>& radices) {
  Index place = 0;
  for (const int radix : radices) {
    points /= radix;
    place += k % radix * points;
    k /= radix;
  }
  return place;
}

template <class T>
FftPlan<T> make_fft_plan(const std::vector<T>& taps, const FftBlocks& blocks) {
  const Index points = blocks.points, sequence = points / 8;
  FftPlan<T> plan{blocks, radices_of(sequence), {}, {}, {}};
  const std::vector<Precise> roots = roots_of_one(points);
  Index part = sequence;
  for (std::size_t pass = 0; pass + 1 < plan.radices.size(); ++pass) {
    const int radix = plan.radices[pass];
    for (Index j = 0; j < part / radix; ++j)
      for (int m = 1; m < radix; ++m) {
        const Precise twiddle = roots[m * j * (points / part)];
        plan.twiddles.push_back(T(twiddle.real()));
        plan.twiddles.push_back(T(twiddle.imag()));
      }
    part /= radix;
  }
  std::vector<Precise> values(points);
  for (std::size_t k = 0; k < taps.size(); ++k) values[k] = taps[k];
  const std::vector<Precise> spectrum = transformed(values, roots);
  plan.turns.resize(sequence);
  plan.spectrum.resize(sequence);
  for (Index k = 0; k < sequence; ++k) {
    const Index place = permuted(k, sequence, plan.radices);
    for (Index l = 0; l < 8; ++l) {
      set(plan.turns[place], l, roots[l * k]);
      set(plan.spectrum[place / 8 * 8 + l], place % 8,
          std::conj(spectrum[k + l * sequence]) / (long double)(points));
    }
  }
  return plan;
}

template FftPlan<float> make_fft_plan(const std::vector<float>&, const FftBlocks&);
template FftPlan<double> make_fft_plan(const std::vector<double>&, const FftBlocks&);

}  // namespace stencil
