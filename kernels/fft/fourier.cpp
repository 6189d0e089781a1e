#include "kernels/fft/fourier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace stencil {
namespace {

using Complex = std::complex<double>;

/// Computes exp(-2 pi i k / n) for angles of at most an eighth of a turn, for which sine and cosine
/// are the most accurate. Values that can be represented are exact.
/// @pre 0 <= 8 k <= n
///
/// A root is computed in long double as the product of two roots from tables: one from the table of
/// every `2^bits_`-th root, and one from the table of the first `2^bits_` roots. The error of this
/// product is some thousandths of the rounding error of the result.
class FirstEighth {
 public:
  explicit FirstEighth(Index n) : bits_((int(std::bit_width(std::uint64_t(n))) - 3) / 2) {
    for (Index k = 0; k < Index{1} << bits_; ++k) fine_.push_back(turned(k, n));
    for (Index k = 0; k <= n / 8; k += Index{1} << bits_) coarse_.push_back(turned(k, n));
  }

  Complex root(Index k) const {
    const Long a = coarse_[k >> bits_], b = fine_[k & ((Index{1} << bits_) - 1)];
    return {double(a.re * b.re - a.im * b.im), double(a.re * b.im + a.im * b.re)};
  }

 private:
  struct Long {
    long double re, im;
  };

  static Long turned(Index k, Index n) {
    const long double angle = 2 * std::numbers::pi_v<long double> * (long double)(k) / n;
    return {std::cos(angle), -std::sin(angle)};
  }

  int bits_;
  std::vector<Long> fine_, coarse_;
};

/// A complex number in a vector type that every processor of the architecture supports. The
/// operations and their order, and therefore the bits of the results, are the same on all
/// processors.
using Two [[gnu::vector_size(2 * sizeof(double))]] = double;

Two load(const Complex& from) {
  return Two{from.real(), from.imag()};
}
void store(Two value, Complex& to) {
  to = {value[0], value[1]};
}

Two swapped(Two value) {
  return __builtin_shufflevector(value, value, 1, 0);
}
Two times_minus_i(Two value) {
  return swapped(value) * Two{1, -1};
}

/// A complex factor that is multiplied by many numbers.
class Factor {
 public:
  explicit Factor(Complex factor)
      : re_{factor.real(), factor.real()}, im_{-factor.imag(), factor.imag()} {}

  Two times(Two value) const { return value * re_ + swapped(value) * im_; }

 private:
  Two re_, im_;
};

/// Computes one pass of radix 4, then the transforms of its parts. Four rows of numbers go through
/// two passes of radix 2 while they are in registers.
///
/// @param step  step of the roots from one butterfly to the next
void transform_part(Complex* values, Index n, Index width, const Complex* roots, Index step) {
  if (n == 1) return;
  if (n == 2) {
    for (Index x = 0; x < width; ++x) {
      const Two a = load(values[x]), b = load(values[width + x]);
      store(a + b, values[x]);
      store(a - b, values[width + x]);
    }
    return;
  }
  const Index leg = n / 4 * width;
  for (Index j = 0; j < n / 4; ++j) {
    const Factor first(roots[j * step]), second(roots[2 * j * step]), third(roots[3 * j * step]);
    Complex* row = values + j * width;
    for (Index x = 0; x < width; ++x, ++row) {
      const Two a = load(row[0]), b = load(row[leg]), c = load(row[2 * leg]),
                d = load(row[3 * leg]);
      const Two even = a + c, odd = b + d, even_high = a - c, odd_high = times_minus_i(b - d);
      store(even + odd, row[0]);
      store(second.times(even - odd), row[leg]);
      store(first.times(even_high + odd_high), row[2 * leg]);
      store(third.times(even_high - odd_high), row[3 * leg]);
    }
  }
  for (int part = 0; part < 4; ++part)
    transform_part(values + part * leg, n / 4, width, roots, 4 * step);
}

}  // namespace

std::vector<Complex> roots_of_one(Index n) {
  if (n == 1) return {1};
  if (n == 2) return {1, -1};
  if (n == 4) return {1, Complex(0, -1), -1, Complex(0, 1)};
  std::vector<Complex> roots(n);
  const Index quarter = n / 4;
  const FirstEighth first_eighth(n);
  for (Index k = 0; k <= n / 8; ++k) {
    const Complex root = first_eighth.root(k);
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

void transform_rows(Complex* values, Index n, Index width, const std::vector<Complex>& roots) {
  transform_part(values, n, width, roots.data(), Index(roots.size()) / n);
}

void transform(Complex* values, Index n, const std::vector<Complex>& roots) {
  const int bits = std::countr_zero(std::uint64_t(n));
  const Index rows = Index{1} << (bits + 1) / 2, columns = n / rows;
  const Index step = Index(roots.size()) / n;
  transform_rows(values, rows, columns, roots);
  std::vector<Complex> turned(n);
  constexpr Index together = 8;  // number of rows whose numbers fill cache lines
  for (Index first = 0; first < rows; first += together) {
    const Index count = std::min(together, rows - first);
    const Complex* row[together];
    for (Index k = 0; k < count; ++k) row[k] = values + bit_reversed(first + k, rows) * columns;
    for (Index j = 0; j < columns; ++j)
      for (Index k = 0; k < count; ++k) {
        const Factor factor(roots[j * (first + k) * step]);
        store(factor.times(load(row[k][j])), turned[j * rows + first + k]);
      }
  }
  transform_rows(turned.data(), columns, rows, roots);
  for (Index k = 0; k < columns; ++k)
    std::copy_n(turned.data() + bit_reversed(k, columns) * rows, rows, values + k * rows);
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
    const int bits = std::countr_zero(unsigned(radix));
    points >>= bits;
    place += (k & (radix - 1)) * points;
    k >>= bits;
  }
  return place;
}

template <class T>
std::vector<T> twiddles_of(Index points, const std::vector<int>& radices,
                           const std::vector<Complex>& roots) {
  std::vector<T> twiddles;
  twiddles.reserve(2 * points);
  Index part = points;
  for (std::size_t pass = 0; pass + 1 < radices.size(); ++pass) {
    const int radix = radices[pass];
    for (Index j = 0; j < part / radix; ++j)
      for (int m = 1; m < radix; ++m) {
        const Complex twiddle = roots[m * j * (Index(roots.size()) / part)];
        twiddles.push_back(T(twiddle.real()));
        twiddles.push_back(T(twiddle.imag()));
      }
    part /= radix;
  }
  return twiddles;
}

template std::vector<float> twiddles_of(Index, const std::vector<int>&,
                                        const std::vector<Complex>&);
template std::vector<double> twiddles_of(Index, const std::vector<int>&,
                                         const std::vector<Complex>&);

}  // namespace stencil
