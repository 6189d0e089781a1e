#include "drivers/plan/amplification.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

namespace stencil {
namespace {

using Complex = std::complex<double>;

constexpr Index most_extent = 129;        // of a mask along one axis
constexpr Index most_channels = 16;       // of a group
constexpr double rounding = 1e-6;         // taps that should sum to 1 do so to float32
constexpr Index most_work = 200'000'000;  // multiply-adds

/// A mask [out, in, height, width]; a mask without channels has one of each.
struct Planes {
  Index out = 1, in = 1, height = 1, width = 1;
  const double* values = nullptr;
};

/// Its symbol at one frequency: a matrix [out, in], row-major.
///
/// @param y, x  radians from one point to the next
std::vector<Complex> symbol_at(const Planes& mask, double y, double x) {
  std::vector<Complex> symbol;
  const double* tap = mask.values;
  for (Index plane = 0; plane < mask.out * mask.in; ++plane) {
    Complex sum = 0;
    for (Index j = 0; j < mask.height; ++j) {
      Complex row = 0;
      for (Index i = 0; i < mask.width; ++i) row += *tap++ * std::polar(1.0, double(i) * x);
      sum += row * std::polar(1.0, double(j) * y);
    }
    symbol.push_back(sum);
  }
  return symbol;
}

/// The largest absolute value of the eigenvalues of a square matrix.
double radius_of(const std::vector<Complex>& matrix, Index n) {
  if (n == 1) return std::abs(matrix[0]);
  const Eigen::Map<const Eigen::MatrixXcd> transposed(matrix.data(), n, n);  // same eigenvalues
  return transposed.eigenvalues().cwiseAbs().maxCoeff();
}

/// The largest spectral radius over a grid of frequencies, refined around the largest one.
double largest_radius(const Planes& mask) {
  const auto at = [&](double y, double x) { return radius_of(symbol_at(mask, y, x), mask.in); };
  constexpr double pi = std::numbers::pi;
  const Index rows = mask.height == 1 ? 1 : 4 * mask.height,
              columns = mask.width == 1 ? 1 : 4 * mask.width;
  double best = 0, best_y = 0, best_x = 0;
  const auto try_at = [&](double y, double x) {
    const double radius = at(y, x);
    if (radius <= best) return;
    best = radius, best_y = y, best_x = x;
  };
  // real taps: the other half of the frequencies has the conjugate symbols
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; 2 * i <= columns; ++i)
      try_at(2 * pi * double(j) / double(rows), 2 * pi * double(i) / double(columns));
  double step_y = pi / double(rows), step_x = pi / double(columns);
  for (int k = 0; k < 20; ++k, step_y /= 2, step_x /= 2) {
    const double y = best_y, x = best_x;
    for (const double dy : {-step_y, 0.0, step_y})
      for (const double dx : {-step_x, 0.0, step_x}) try_at(y + dy, x + dx);
  }
  return best;
}

/// Whether no wave can grow, as the taps of each output sum to 1 at most, signs left out.
bool is_bounded(const Planes& mask) {
  const Index taps = mask.in * mask.height * mask.width;
  for (Index o = 0; o < mask.out; ++o) {
    double sum = 0;
    for (Index i = 0; i < taps; ++i) sum += std::abs(mask.values[o * taps + i]);
    if (sum > 1 + rounding) return false;
  }
  return true;
}

std::optional<double> radius_or_nothing(const Planes& mask) {
  if (is_bounded(mask)) return 1.0;
  const Index frequencies = 8 * mask.height * mask.width;
  if (mask.height > most_extent || mask.width > most_extent || mask.in > most_channels ||
      frequencies * mask.out * mask.in * (mask.height * mask.width + 30 * mask.in) > most_work)
    return std::nullopt;
  return largest_radius(mask);
}

}  // namespace

std::optional<double> amplification(const BoundStage& stage) {
  if (stage.channels) {
    const ChannelMask& mask = *stage.channels;
    const Index out = mask.out / mask.groups;
    if (out != mask.in) return std::nullopt;
    double most = 0;
    for (Index group = 0; group < mask.groups; ++group) {
      const auto radius = radius_or_nothing(
          {out, mask.in, mask.height, mask.width, mask.values.data() + group * out * mask.taps()});
      if (!radius) return std::nullopt;
      most = std::max(most, *radius);
    }
    return most;
  }
  const Taps& taps = stage.choice.mask.taps;
  if (taps.values.empty()) return std::nullopt;
  return radius_or_nothing({1, 1, taps.height, taps.width, taps.values.data()});
}

std::string amplification_note(const BoundStage& stage) {
  if (stage.steps < 2) return "";
  const auto factor = amplification(stage);
  if (!factor || *factor <= 1 + rounding) return "";
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
