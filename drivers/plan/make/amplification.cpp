#include "drivers/plan/make/amplification.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace stencil {
namespace {

using Complex = std::complex<double>;

constexpr Index most_channels = 16;       // largest number of channels in a group
constexpr double rounding = 1e-6;         // float32 error of a sum of taps that should be 1
constexpr Index most_work = 200'000'000;  // largest number of multiply-adds of an examination

/// A mask of shape [out, in, height, width], where out and in are 1 without channels, or a mask of
/// three axes, of shape [depth, height, width].
struct Planes {
  Index out = 1, in = 1, height = 1, width = 1;
  const double* values = nullptr;
  Index depth = 1;

  Index taps() const { return depth * height * width; }  ///< for a pair of channels
};

/// Phase difference between neighbouring points along batch, y and x, in radians.
using Wave = std::array<double, axes>;

/// Returns c0 + c1 * w + c2 * w^2 + ..., where c(i) is the i-th coefficient, complex or real. The
/// products are written out because those of std::complex include tests for NaN.
template <class Coefficient>
Complex polynomial(Index count, Complex w, const Coefficient& c) {
  double real = 0, imag = 0;
  for (Index i = count - 1; i >= 0; --i) {
    const Complex next = c(i);
    const double was = real;
    real = real * w.real() - imag * w.imag() + next.real();
    imag = was * w.imag() + imag * w.real() + next.imag();
  }
  return {real, imag};
}

/// Returns the symbol of a mask at one frequency: a matrix [out, in] in row-major order.
std::vector<Complex> symbol_at(const Planes& mask, const Wave& wave) {
  const Complex along_z = std::polar(1.0, wave[0]), along_y = std::polar(1.0, wave[1]),
                along_x = std::polar(1.0, wave[2]);
  std::vector<Complex> symbol;
  for (Index pair = 0; pair < mask.out * mask.in; ++pair) {
    const double* const taps = mask.values + pair * mask.taps();
    symbol.push_back(polynomial(mask.depth, along_z, [&](Index k) {
      return polynomial(mask.height, along_y, [&](Index j) {
        const double* const row = taps + (k * mask.height + j) * mask.width;
        return polynomial(mask.width, along_x, [&](Index i) { return Complex(row[i]); });
      });
    }));
  }
  return symbol;
}

/// Returns the largest absolute value of the eigenvalues of a square matrix.
double radius_of(const std::vector<Complex>& matrix, Index n) {
  if (n == 1) return std::abs(matrix[0]);
  const Eigen::Map<const Eigen::MatrixXcd> transposed(matrix.data(), n, n);  // same eigenvalues
  return transposed.eigenvalues().cwiseAbs().maxCoeff();
}

/// Returns the largest spectral radius over a grid of frequencies, refined around the maximum.
double largest_radius(const Planes& mask) {
  constexpr double pi = std::numbers::pi;
  const auto waves = [](Index taps) { return taps == 1 ? Index{1} : 4 * taps; };
  const Point count{waves(mask.depth), waves(mask.height), waves(mask.width)};
  const Wave apart{2 * pi / double(count[0]), 2 * pi / double(count[1]), 2 * pi / double(count[2])};
  double best = 0;
  Wave found{};
  const auto try_at = [&](const Wave& wave) {
    const double radius = radius_of(symbol_at(mask, wave), mask.in);
    if (radius <= best) return;
    best = radius, found = wave;
  };
  // Taps are real, so the other half of the frequencies has the complex conjugate symbols.
  for (Index k = 0; k < count[0]; ++k)
    for (Index j = 0; j < count[1]; ++j)
      for (Index i = 0; 2 * i <= count[2]; ++i)
        try_at({double(k) * apart[0], double(j) * apart[1], double(i) * apart[2]});
  double step = 0.5;
  for (int turn = 0; turn < 20; ++turn, step /= 2) {
    const Wave wave = found;
    for (int n = 0; n < 27; ++n) {
      const double z = n / 9 - 1, y = n / 3 % 3 - 1, x = n % 3 - 1;
      if (z != 0 && mask.depth == 1) continue;
      try_at({wave[0] + z * step * apart[0], wave[1] + y * step * apart[1],
              wave[2] + x * step * apart[2]});
    }
  }
  return best;
}

/// Returns whether no wave can grow, because for each output the absolute values of the taps sum to
/// 1 at most.
bool is_bounded(const Planes& mask) {
  const Index taps = mask.in * mask.taps();
  for (Index o = 0; o < mask.out; ++o) {
    double sum = 0;
    for (Index i = 0; i < taps; ++i) sum += std::abs(mask.values[o * taps + i]);
    if (sum > 1 + rounding) return false;
  }
  return true;
}

/// Returns the largest spectral radius; std::nullopt if computing it would take too long.
std::optional<double> radius_if_small(const Planes& mask) {
  const Index frequencies = (mask.depth > 1 ? 32 : 8) * mask.taps();
  if (mask.in > most_channels ||
      frequencies * mask.out * mask.in * (mask.taps() + 30 * mask.in) > most_work)
    return std::nullopt;
  return largest_radius(mask);
}

/// Like radius_if_small(), but returns 1 if no wave can grow.
std::optional<double> radius_or_bound(const Planes& mask) {
  if (is_bounded(mask)) return 1.0;
  return radius_if_small(mask);
}

/// Returns the radius of the product of two masks, whose symbol is the product of their symbols.
std::optional<double> radius_of_factors(const Factors& factors) {
  if (factors.terms != 1) return std::nullopt;
  const auto planes = [](const std::vector<double>& factor) {
    return Planes{.width = static_cast<Index>(factor.size()), .values = factor.data()};
  };
  const Planes column = planes(factors.column), row = planes(factors.row);
  if (is_bounded(column) && is_bounded(row)) return 1.0;
  const auto along_y = radius_if_small(column), along_x = radius_if_small(row);
  if (!along_y || !along_x) return std::nullopt;
  return *along_y * *along_x;
}

}  // namespace

std::optional<double> amplification(const BoundStage& stage) {
  if (stage.channels) {
    const ChannelMask& mask = *stage.channels;
    const Index out = mask.out / mask.groups;
    if (out != mask.in) return std::nullopt;
    double most = 0;
    for (Index group = 0; group < mask.groups; ++group) {
      const auto radius = radius_or_bound(
          {out, mask.in, mask.height, mask.width, mask.values.data() + group * out * mask.taps()});
      if (!radius) return std::nullopt;
      most = std::max(most, *radius);
    }
    return most;
  }
  const Taps& taps = stage.choice.mask.taps;
  if (taps.values.empty()) return radius_of_factors(*stage.choice.mask.factors);
  return radius_or_bound({1, 1, taps.height, taps.width, taps.values.data(), taps.depth});
}

std::string amplification_note(const BoundStage& stage) {
  if (stage.steps < 2) return "";
  const auto factor = amplification(stage);
  if (!factor)
    return fmt::format(
        "[{}] is not checked for amplification: its mask is too large to try all waves",
        stage.name);
  if (*factor <= 1 + rounding) return "";
  const double digits = std::log10(*factor) * double(stage.steps);
  return fmt::format(
      "[{}] amplifies: some waves become {:.6g} times as large in a step, {} in {} steps; a "
      "smaller "
      "time step is what helps, if this is not meant",
      stage.name, *factor,
      digits < 300 ? fmt::format("{:.3g} times", std::pow(10.0, digits))
                   : fmt::format("10^{:.0f} times", digits),
      stage.steps);
}

}  // namespace stencil
