#include "kernels/families/families_savgol.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

void check(Index size, int polyorder, int deriv, double delta) {
  if (size < 1 || size % 2 == 0 || size > Index(1) << 24) {
    throw ShapeError(fmt::format("savgol: size = {} must be odd, 1 to {}", size, (1 << 24) - 1));
  }
  if (polyorder < 0 || polyorder >= size || polyorder > 64) {
    throw ShapeError(fmt::format("savgol: polyorder = {} must be 0 to {}", polyorder,
                                 std::min<Index>(size - 1, 64)));
  }
  if (deriv < 0) throw ShapeError(fmt::format("savgol: deriv = {} must be 0 or more", deriv));
  if (delta == 0 || !std::isfinite(delta)) {
    throw ShapeError(fmt::format("savgol: delta = {} must not be 0 (unit of the axis)", delta));
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(std::vector<double>& to, double factor, const std::vector<double>& values) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * values[i];
}

/// One of the orthonormal polynomials on the points of a fit.
struct Term {
  std::vector<double> values;  ///< values at the points
  /// `[places, deriv + 1]`: derivatives of order 0 to deriv at each place.
  std::vector<double> slopes;
};

/// Returns the number by which positions are divided, so that they are in [-1, 1].
double half_of(Index size) {
  return size > 1 ? double(size / 2) : 1;
}

/// Returns orthonormal polynomials. Each polynomial is x times the previous one, orthogonalized to
/// all previous ones. The orthogonalization is done twice, because once would leave a rounding
/// error that is too large.
/// @param places  scaled positions at which derivatives are requested
std::vector<Term> orthonormal_terms(Index size, int polyorder, int deriv,
                                    const std::vector<double>& places) {
  const Index middle = size / 2;
  const std::size_t each = static_cast<std::size_t>(deriv) + 1;
  std::vector<Term> terms;
  for (int k = 0; k <= polyorder; ++k) {
    Term term{std::vector<double>(size, 1.0), std::vector<double>(places.size() * each, 0.0)};
    for (std::size_t place = 0; place < places.size(); ++place) {
      double* const slopes = &term.slopes[place * each];
      if (k == 0) slopes[0] = 1;
      for (std::size_t m = 0; m < each && k > 0; ++m) {
        const double* const before = &terms.back().slopes[place * each];
        slopes[m] = places[place] * before[m] + (m > 0 ? double(m) * before[m - 1] : 0);
      }
    }
    for (Index i = 0; i < size && k > 0; ++i)
      term.values[i] = double(i - middle) / half_of(size) * terms.back().values[i];
    for (int twice = 0; twice < 2; ++twice)
      for (const Term& other : terms) {
        const double part = dot(other.values, term.values);
        add(term.values, -part, other.values);
        add(term.slopes, -part, other.slopes);
      }
    const double length = std::sqrt(dot(term.values, term.values));
    for (double& value : term.values) value /= length;
    for (double& slope : term.slopes) slope /= length;
    terms.push_back(std::move(term));
  }
  return terms;
}

/// Returns the factor by which a derivative of the points of a fit is divided.
/// @throws ShapeError  the factor is infinite, or so near to 0 that a division by the factor can
///                     give infinity
double scale_of(Index size, int deriv, double delta) {
  const double scale = std::pow(half_of(size) * delta, deriv);
  if (!std::isnormal(scale))
    throw ShapeError(fmt::format(
        "savgol: {} points times delta = {}, to the power of {}, is {}: write delta in "
        "a unit in which it is nearer to 1",
        half_of(size), delta, deriv, std::isfinite(scale) ? "too near to 0" : "infinite"));
  return scale;
}

}  // namespace

// The derivative at 0 of the best polynomial fit is a linear function of the points, and the taps
// are its coefficients: the sum over all orthonormal polynomials of the polynomial's values times
// its derivative at 0.
std::vector<double> savgol_taps(Index size, int polyorder, int deriv, double delta) {
  check(size, polyorder, deriv, delta);
  std::vector<double> taps(size, 0.0);
  if (deriv > polyorder) return taps;
  const double scale = scale_of(size, deriv, delta);
  for (const Term& term : orthonormal_terms(size, polyorder, deriv, {0}))
    add(taps, term.slopes.back() / scale, term.values);
  return taps;
}

PolynomialFit savgol_fit(Index size, int polyorder, int deriv, double delta) {
  constexpr Index most = 65535;
  check(size, polyorder, deriv, delta);
  if (size > most)
    throw ShapeError(
        fmt::format("savgol: a polynomial is fitted to {} points at the edges, of up "
                    "to {}: write a smaller size or another boundary",
                    size, most));
  PolynomialFit fit{size, 0, {}, {}};
  if (deriv > polyorder) return fit;
  std::vector<double> places;
  for (Index k = 0; k < size; ++k) places.push_back(double(k - size / 2) / half_of(size));
  const double scale = scale_of(size, deriv, delta);
  const std::size_t each = static_cast<std::size_t>(deriv) + 1;
  for (const Term& term : orthonormal_terms(size, polyorder, deriv, places)) {
    fit.basis.insert(fit.basis.end(), term.values.begin(), term.values.end());
    for (std::size_t k = 0; k < places.size(); ++k)
      fit.at.push_back(term.slopes[k * each + each - 1] / scale);
    ++fit.terms;
  }
  return fit;
}

}  // namespace stencil
