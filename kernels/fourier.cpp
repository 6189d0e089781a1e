#include "kernels/fourier.hpp"

#include <cmath>
#include <numbers>

namespace stencil {
namespace {

/// The product without the tests for NaN of std::complex.
template <class Real>
std::complex<Real> times(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2 pi i k / n), exact where it can be. Angles of at most an eighth of a turn are the most
/// accurate ones. @pre 0 <= 8 k <= n
template <class Real>
std::complex<Real> root_of_first_eighth(Index k, Index n) {
  const long double angle = 2 * std::numbers::pi_v<long double> * (long double)(k) / n;
  return {Real(std::cos(angle)), Real(-std::sin(angle))};
}

/// @param step  of the roots from one butterfly to the next
template <class Real>
void transform_part(std::complex<Real>* values, Index n, Index width,
                    const std::complex<Real>* roots, Index step) {
  using Complex = std::complex<Real>;
  if (n == 1) return;
  const Index half = n / 2;
  for (Index j = 0; j < half; ++j) {
    const Complex root = roots[j * step];
    Complex *low = values + j * width, *high = low + half * width;
    for (Index x = 0; x < width; ++x) {
      const Complex a = low[x], b = high[x];
      low[x] = a + b;
      high[x] = times(a - b, root);
    }
  }
  transform_part(values, half, width, roots, 2 * step);
  transform_part(values + half * width, half, width, roots, 2 * step);
}

}  // namespace

template <class Real>
std::vector<std::complex<Real>> roots_of_one(Index n) {
  using Complex = std::complex<Real>;
  if (n == 1) return {1};
  if (n == 2) return {1, -1};
  if (n == 4) return {1, Complex(0, -1), -1, Complex(0, 1)};
  std::vector<Complex> roots(n);
  const Index quarter = n / 4;
  for (Index k = 0; k <= n / 8; ++k) {
    const Complex root = root_of_first_eighth<Real>(k, n);
    roots[k] = root;
    roots[quarter - k] = {-root.imag(), -root.real()};
  }
  for (Index k = 0; k < quarter; ++k) {
    const Complex root = roots[k], turned{root.imag(), -root.real()};
    roots[k + quarter] = turned;
    roots[k + 2 * quarter] = -root;
    roots[k + 3 * quarter] = -turned;
  }
  return roots;
}

template <class Real>
void transform(std::complex<Real>* values, Index n, Index width,
               const std::vector<std::complex<Real>>& roots) {
  transform_part(values, n, width, roots.data(), Index(roots.size()) / n);
}

Index bit_reversed(Index k, Index n) {
  Index reversed = 0;
  for (; n > 1; n /= 2, k /= 2) reversed = 2 * reversed + k % 2;
  return reversed;
}

std::vector<int> radices_of(Index points) {
  int bits = 0;
  while ((Index{1} << bits) < points) ++bits;
  std::vector<int> radices;
  for (; bits % 3 != 0; bits -= 2) radices.push_back(4);
  for (; bits > 0; bits -= 3) radices.push_back(8);
  return radices;
}

Index permuted(Index k, Index points, const std::vector<int>& radices) {
  Index place = 0;
  for (const int radix : radices) {
    points /= radix;
    place += k % radix * points;
    k /= radix;
  }
  return place;
}

template <class T, class Real>
std::vector<T> twiddles_of(Index points, const std::vector<int>& radices,
                           const std::vector<std::complex<Real>>& roots) {
  std::vector<T> twiddles;
  Index part = points;
  for (std::size_t pass = 0; pass + 1 < radices.size(); ++pass) {
    const int radix = radices[pass];
    for (Index j = 0; j < part / radix; ++j)
      for (int m = 1; m < radix; ++m) {
        const std::complex<Real> twiddle = roots[m * j * (Index(roots.size()) / part)];
        twiddles.push_back(T(twiddle.real()));
        twiddles.push_back(T(twiddle.imag()));
      }
    part /= radix;
  }
  return twiddles;
}

template std::vector<std::complex<double>> roots_of_one(Index);
template std::vector<std::complex<long double>> roots_of_one(Index);
template void transform(std::complex<double>*, Index, Index,
                        const std::vector<std::complex<double>>&);
template void transform(std::complex<long double>*, Index, Index,
                        const std::vector<std::complex<long double>>&);
template std::vector<float> twiddles_of(Index, const std::vector<int>&,
                                        const std::vector<std::complex<double>>&);
template std::vector<double> twiddles_of(Index, const std::vector<int>&,
                                         const std::vector<std::complex<double>>&);
template std::vector<double> twiddles_of(Index, const std::vector<int>&,
                                         const std::vector<std::complex<long double>>&);

}  // namespace stencil
