// The only table of masks by name: each family is an entry of `families`.
#include "kernels/families/family_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "framework/grid/error.hpp"
#include "kernels/families/families.hpp"
#include "kernels/families/families_firwin.hpp"
#include "kernels/families/families_matched.hpp"
#include "kernels/families/families_round.hpp"
#include "kernels/families/families_savgol.hpp"

namespace stencil {
namespace {

using Parameters = FamilyParameters;
using List = std::vector<double>;

template <class T>
T value_of(const std::vector<T>& values, std::size_t axis) {
  return values.size() == 1 ? values[0] : values.at(axis);
}

template <Index n>
Index always(const Parameters&, std::size_t) {
  return n;
}

Index gaussian_radius_of(const Parameters& p, std::size_t axis) {
  const double radius = value_of(p.radius, axis);
  return radius > 0 ? static_cast<Index>(radius)
                    : gaussian_radius(value_of(p.sigma, axis), p.truncate);
}

/// Returns `delta` of an axis to the power of the order of a derivative.
/// @throws ShapeError  the power is infinite, or so near to 0 that a division by the power can give
///                     infinity
double power_of_delta(const Parameters& p, std::size_t axis, int order) {
  const double delta = delta_along(p, axis), power = std::pow(delta, order);
  if (!std::isnormal(power))
    throw ShapeError(
        fmt::format("delta = {} to the power of {} is {}: write delta in a unit in which it is "
                    "nearer to 1",
                    delta, order,
                    std::isnan(power)   ? "NaN"
                    : std::isinf(power) ? "infinite"
                                        : "too near to 0"));
  return power;
}

List divided(List taps, double divisor) {
  for (double& tap : taps) tap /= divisor;
  return taps;
}

List gaussian_derivative(const Parameters& p, std::size_t axis, int order) {
  return divided(gaussian_taps_within(value_of(p.sigma, axis), order, gaussian_radius_of(p, axis)),
                 power_of_delta(p, axis, order));
}

List gaussian(const Parameters& p, std::size_t axis) {
  return gaussian_derivative(p, axis, static_cast<int>(value_of(p.order, axis)));
}

std::optional<BadParameter> check_gaussian(const Parameters& p) {
  for (const double radius : p.radius)
    if (radius != std::floor(radius))
      return BadParameter{"radius", "a Gaussian ends at a whole number of points"};
  return std::nullopt;
}

/// Returns one value for each axis.
template <class T>
std::vector<T> over(std::size_t axes, const std::vector<T>& values) {
  return values.size() == 1 ? std::vector<T>(axes, values[0]) : values;
}

/// Returns second differences along two or three axes, summed: equal taps on both sides of the
/// centre along each axis.
Taps laplacian(const Parameters& p, std::size_t axes) {
  const Index depth = axes == 3 ? 3 : 1;
  Taps taps{.height = 3, .width = 3, .values = List(9 * depth), .depth = depth};
  const Index centre = std::ssize(taps.values) / 2;
  Index apart = 1;  // distance to a neighbour
  for (std::size_t axis = axes; axis-- > 0; apart *= 3) {
    const double tap = 1 / power_of_delta(p, axis, 2);
    taps.values[centre - apart] = taps.values[centre + apart] = tap;
    taps.values[centre] -= 2 * tap;
  }
  return taps;
}

/// Whether sobel and prewitt are derivatives, and not the sums of differences of SciPy.
bool is_normalized(const Parameters& p) {
  return !p.delta.empty() || p.delta_of_coordinates;
}

/// Returns the taps of sobel and prewitt along the axis of the derivative.
List difference(const Parameters& p, std::size_t axis) {
  return is_normalized(p) ? divided(derivative_taps(), 2 * power_of_delta(p, axis, 1))
                          : derivative_taps();
}

/// Returns the taps of sobel or prewitt across the axis of the derivative.
template <List (*taps)()>
List smoothing(const Parameters& p) {
  List smooth = taps();
  return is_normalized(p) ? divided(smooth, std::accumulate(smooth.begin(), smooth.end(), 0.0))
                          : smooth;
}

std::optional<BadParameter> check_disk(const Parameters& p) {
  if (std::all_of(p.radius.begin(), p.radius.end(), [](double radius) { return radius > 0; }))
    return std::nullopt;
  return BadParameter{"radius", "write how far the mask reaches, above 0 points"};
}

std::optional<BadParameter> check_annulus(const Parameters& p) {
  if (const auto bad = check_disk(p)) return bad;
  const std::size_t axes = std::max(p.inner.size(), p.radius.size());
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (axis < over(axes, p.inner).size() && axis < over(axes, p.radius).size() &&
        !(value_of(p.inner, axis) < value_of(p.radius, axis)))
      return BadParameter{"inner", fmt::format("not below radius = {}, write a smaller one",
                                               value_of(p.radius, axis))};
  return std::nullopt;
}

std::optional<BadParameter> check_dog(const Parameters& p) {
  if (p.ratio > 1) return std::nullopt;
  return BadParameter{"ratio", "the second Gaussian is the wider one, write a number above 1"};
}

/// Returns the terms whose products are summed in a Laplacian of a Gaussian over three axes.
std::vector<Lists> terms_of_log(const Parameters& p) {
  std::vector<Lists> terms;
  for (std::size_t derived = 0; derived < 3; ++derived) {
    terms.emplace_back();
    for (std::size_t axis = 0; axis < 3; ++axis)
      terms.back()[axis] = gaussian_derivative(p, axis, axis == derived ? 2 : 0);
  }
  return terms;
}

/// Returns the narrow Gaussian, and the wide Gaussian multiplied by -1.
std::vector<Lists> terms_of_dog(const Parameters& p) {
  std::vector<Lists> terms(2);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double sigma = value_of(p.sigma, axis);
    terms[0][axis] = gaussian_taps(sigma, 0, p.truncate);
    terms[1][axis] = gaussian_taps(p.ratio * sigma, 0, p.truncate);
  }
  for (double& tap : terms[1][0]) tap = -tap;
  return terms;
}

/// Returns row size - 1 of Pascal's triangle, divided by its sum. It is computed from the centre
/// outwards, so that nothing overflows and only terms that are practically 0 underflow. The taps
/// are exact for at least up to 1100 taps, if they can be represented as doubles.
/// @throws ShapeError  size < 1, or more than 2^24 taps
List binomial_taps(Index size) {
  if (size < 1 || size > Index{1} << 24)
    throw ShapeError(fmt::format("binomial: size = {} must be 1 to {} points", size, 1 << 24));
  const Index last = size - 1;
  std::vector<long double> half{1};  // relative to the tap at the centre or next to it
  long double sum = last % 2 == 0 ? 1 : 2;
  for (Index k = last / 2; k > 0; --k) {
    half.push_back(half.back() * static_cast<long double>(k) /
                   static_cast<long double>(last - k + 1));
    sum += 2 * half.back();
  }
  List taps(size);
  for (Index k = 0; k < std::ssize(half); ++k)
    taps[last / 2 - k] = taps[last - last / 2 + k] = static_cast<double>(half[k] / sum);
  return taps;
}

template <PassBand band>
List firwin(const Parameters& p, std::size_t) {
  return firwin_taps(band, p.taps, p.cutoff, p.window, p.sampling_rate);
}

template <PassBand band>
std::optional<BadParameter> check_firwin(const Parameters& p) {
  const bool two = cutoffs_of(band) == 2;
  if (p.cutoff.size() != (two ? 2u : 1u))
    return BadParameter{"cutoff",
                        fmt::format("{} takes {}", name_of(band),
                                    two ? "two frequencies, low and high" : "one frequency")};
  if (two && !(p.cutoff[0] < p.cutoff[1]))
    return BadParameter{"cutoff",
                        "the second frequency is not above the first, write the lower one first"};
  if (passes_nyquist(band) && p.taps % 2 == 0)
    return BadParameter{
        "taps", fmt::format("{} needs an odd number of taps, write {}", name_of(band), p.taps + 1)};
  return std::nullopt;
}

List savgol(const Parameters& p, std::size_t axis) {
  return savgol_taps(value_of(p.size, axis), static_cast<int>(p.polyorder),
                     static_cast<int>(p.deriv), delta_along(p, axis));
}

std::optional<BadParameter> check_savgol(const Parameters& p) {
  const Index size = p.size[0];
  if (size % 2 == 0)
    return BadParameter{"size", fmt::format("savgol needs an odd size, write {}", size + 1)};
  if (p.polyorder >= size)
    return BadParameter{"polyorder",
                        fmt::format("not below size = {}, write at most {}", size, size - 1)};
  if (p.deriv > p.polyorder)
    return BadParameter{
        "deriv",
        fmt::format("above polyorder = {}, the result would be 0 everywhere", p.polyorder)};
  return std::nullopt;
}

constexpr Parameter parameters[] = {
    {"sigma", &Parameters::sigma, true},
    {"order", &Parameters::order, true},
    {"truncate", &Parameters::truncate},
    {"size", &Parameters::size, true},
    {"taps", &Parameters::taps},
    {"cutoff", &Parameters::cutoff},
    {"window", &Parameters::window},
    {"polyorder", &Parameters::polyorder},
    {"deriv", &Parameters::deriv},
    {"delta", &Parameters::delta, true},
    {"radius", &Parameters::radius, true},
    {"inner", &Parameters::inner, true},
    {"ratio", &Parameters::ratio},
    {"template", &Parameters::shape},
    {"psd", &Parameters::psd},
};

constexpr Family families[] = {
    {.name = "gaussian",
     .doc = "a Gaussian or its derivative: scipy.ndimage.gaussian_filter",
     .keys = "sigma order truncate radius delta",
     .along = gaussian,
     .order = [](const Parameters& p, std::size_t axis) { return value_of(p.order, axis); },
     .check = check_gaussian},
    {.name = "box",
     .doc = "equal taps: scipy.ndimage.uniform_filter",
     .keys = "size",
     .along = [](const Parameters& p,
                 std::size_t axis) { return box_taps(value_of(p.size, axis)); }},
    {.name = "binomial",
     .doc = "a row of Pascal's triangle, divided by its sum: numpy.convolve of 1/2 1/2",
     .keys = "size",
     .along = [](const Parameters& p,
                 std::size_t axis) { return binomial_taps(value_of(p.size, axis)); }},
    {.name = "disk",
     .doc = "equal taps within a radius (several: within an ellipse), divided by their sum",
     .keys = "radius",
     .along = [](const Parameters& p,
                 std::size_t axis) { return ring_taps(0, value_of(p.radius, axis)); },
     .grid = [](const Parameters& p,
                std::size_t axes) { return ring_taps(List(axes, 0.0), over(axes, p.radius)); },
     .check = check_disk},
    {.name = "annulus",
     .doc = "equal taps within a radius and beyond an inner one, divided by their sum",
     .keys = "radius inner",
     .along =
         [](const Parameters& p, std::size_t axis) {
           return ring_taps(value_of(p.inner, axis), value_of(p.radius, axis));
         },
     .grid = [](const Parameters& p,
                std::size_t axes) { return ring_taps(over(axes, p.inner), over(axes, p.radius)); },
     .check = check_annulus},
    {.name = "log",
     .doc = "the Laplacian of a Gaussian: scipy.ndimage.gaussian_laplace",
     .keys = "sigma truncate radius delta",
     .along = [](const Parameters& p, std::size_t axis) { return gaussian_derivative(p, axis, 2); },
     .grid =
         [](const Parameters& p, std::size_t axes) {
           std::vector<Index> radius;
           List squares;
           for (std::size_t axis = 0; axis < axes; ++axis) {
             radius.push_back(gaussian_radius_of(p, axis));
             squares.push_back(power_of_delta(p, axis, 2));
           }
           return laplacian_of_gaussian(over(axes, p.sigma), radius, squares);
         },
     .terms = terms_of_log,
     .order = always<2>,
     .check = check_gaussian},
    {.name = "dog",
     .doc =
         "a Gaussian minus one that is `ratio` times as wide: scipy.ndimage.gaussian_filter twice",
     .keys = "sigma ratio truncate",
     .along =
         [](const Parameters& p, std::size_t axis) {
           return difference_of_gaussians(value_of(p.sigma, axis), p.ratio, p.truncate);
         },
     .grid =
         [](const Parameters& p, std::size_t axes) {
           return difference_of_gaussians(over(axes, p.sigma), p.ratio, p.truncate);
         },
     .terms = terms_of_dog,
     .check = check_dog},
    {.name = "laplace",
     .doc = "second differences, summed over the axes: scipy.ndimage.laplace",
     .keys = "delta",
     .along = [](const Parameters& p,
                 std::size_t axis) { return divided(laplace_taps(), power_of_delta(p, axis, 2)); },
     .grid = laplacian,
     .order = always<2>},
    {.name = "sobel",
     .doc = "a derivative along one axis, smoothed by 1 2 1 across it: scipy.ndimage.sobel",
     .keys = "delta",
     .along = difference,
     .across = smoothing<sobel_smoothing_taps>,
     .order = always<1>},
    {.name = "prewitt",
     .doc = "a derivative along one axis, smoothed by 1 1 1 across it: scipy.ndimage.prewitt",
     .keys = "delta",
     .along = difference,
     .across = smoothing<prewitt_smoothing_taps>,
     .order = always<1>},
    {.name = "lowpass",
     .doc = "frequencies below cutoff: scipy.signal.firwin",
     .keys = "taps cutoff window",
     .one_dimensional = true,
     .needs_rate = true,
     .along = firwin<PassBand::lowpass>,
     .check = check_firwin<PassBand::lowpass>},
    {.name = "highpass",
     .doc = "frequencies above cutoff: scipy.signal.firwin",
     .keys = "taps cutoff window",
     .one_dimensional = true,
     .needs_rate = true,
     .along = firwin<PassBand::highpass>,
     .check = check_firwin<PassBand::highpass>},
    {.name = "bandpass",
     .doc = "frequencies between two: scipy.signal.firwin",
     .keys = "taps cutoff window",
     .one_dimensional = true,
     .needs_rate = true,
     .along = firwin<PassBand::bandpass>,
     .check = check_firwin<PassBand::bandpass>},
    {.name = "bandstop",
     .doc = "frequencies below the first of two and above the second: scipy.signal.firwin",
     .keys = "taps cutoff window",
     .one_dimensional = true,
     .needs_rate = true,
     .along = firwin<PassBand::bandstop>,
     .check = check_firwin<PassBand::bandstop>},
    {.name = "matched",
     .doc = "a template from a file, divided by its energy, or by the noise's spectrum psd",
     .keys = "template psd",
     .one_dimensional = true,
     .along = [](const Parameters& p,
                 std::size_t) { return matched_taps(p.shape_values, p.psd_values); }},
    {.name = "savgol",
     .doc = "a polynomial fitted to the points, or its derivative: scipy.signal.savgol_filter",
     .keys = "size polyorder deriv delta",
     .one_dimensional = true,
     .along = savgol,
     .order = [](const Parameters& p, std::size_t) { return p.deriv; },
     .check = check_savgol},
};

}  // namespace

double delta_along(const Parameters& p, std::size_t axis) {
  return p.delta.empty() ? 1 : value_of(p.delta, axis);
}

std::span<const Family> all_families() {
  return families;
}

std::span<const Parameter> all_parameters() {
  return parameters;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : families)
    if (family.name == name) return &family;
  return nullptr;
}

const Parameter* find_parameter(std::string_view key) {
  for (const Parameter& parameter : parameters)
    if (parameter.key == key) return &parameter;
  return nullptr;
}

std::variant<Factors, Taps> taps_over_two_axes(const Family& family, const Parameters& p,
                                               std::size_t axis) {
  if (family.grid != nullptr) return family.grid(p, 2);
  Factors factors;
  if (family.across != nullptr) {
    factors = {.column = family.across(p), .row = family.along(p, axis)};
    if (axis == 0) std::swap(factors.column, factors.row);
    return factors;
  }
  factors.row = family.along(p, 1);
  factors.column = family.along(p, 0);
  return factors;
}

Mask mask_over_three_axes(const Family& family, const Parameters& p, std::size_t axis,
                          const std::array<Index, 3>& origin) {
  if (family.grid != nullptr && family.terms == nullptr)
    return Mask::volume(family.grid(p, 3), origin);
  if (family.terms != nullptr) return sum_of_products(family.terms(p), origin);
  Lists lists;
  for (std::size_t k = 0; k < 3; ++k)
    lists[k] = family.across != nullptr && k != axis ? family.across(p) : family.along(p, k);
  return sum_of_products({lists}, origin);
}

bool is_product(const Family& family) {
  return !family.one_dimensional && family.grid == nullptr;
}

bool is_derivative(const Family& family, const Parameters& p) {
  if (family.order == nullptr) return false;
  for (std::size_t axis = 0; axis < p.order.size(); ++axis)
    if (family.order(p, axis) > 0) return true;
  return false;
}

}  // namespace stencil
