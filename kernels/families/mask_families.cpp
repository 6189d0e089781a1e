#include "kernels/families/mask_families.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>
#include <utility>
#include <variant>

#include "framework/grid/error.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {
namespace {

using Parameters = FamilyParameters;

/// Returns the value of a parameter as text for messages.
std::string text_of(const Parameters& parameters, std::string_view key) {
  return std::visit(
      [&](auto field) {
        const auto& value = parameters.*field;
        if constexpr (requires { value.front(); } &&
                      !std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          return fmt::format("{}", fmt::join(value, " "));
        else
          return fmt::format("{}", value);
      },
      find_parameter(key)->field);
}

const Family& checked_family(std::string_view name, const Parameters& parameters) {
  const Family& family = *find_family(name);
  if (family.check == nullptr) return family;
  if (const auto bad = family.check(parameters))
    throw ShapeError(
        fmt::format("{}: {} = {}: {}", name, bad->key, text_of(parameters, bad->key), bad->why));
  return family;
}

Mask along_one_axis(std::string_view name, const Parameters& parameters, Axis axis) {
  return Mask::line(checked_family(name, parameters).along(parameters, 0), axis);
}

/// Returns the mask of a family along y and x.
/// @param direction  for families with a direction: 0 for y, 1 for x
Mask over_two_axes(std::string_view name, const Parameters& parameters, std::size_t direction = 1) {
  auto taps = taps_over_two_axes(checked_family(name, parameters), parameters, direction);
  if (Taps* grid = std::get_if<Taps>(&taps)) return Mask::grid(std::move(*grid));
  Factors& factors = std::get<Factors>(taps);
  return Mask::outer(std::move(factors.column), std::move(factors.row));
}

Mask over_axes(std::string_view name, const Parameters& parameters, std::optional<Axis> axis) {
  return axis ? along_one_axis(name, parameters, *axis) : over_two_axes(name, parameters);
}

/// Returns an argument as the list of values of a parameter.
/// @throws ShapeError  two values for a mask of one axis, or a value below `least`
template <class To, class From>
std::vector<To> list_of(const char* name, const PerAxis<From>& values, std::optional<Axis> axis,
                        std::optional<From> least = {}) {
  if (axis && values.y != values.x)
    throw ShapeError(
        fmt::format("{} = {{{}, {}}} has two values, but the mask runs along {} only: "
                    "give one value",
                    name, values.y, values.x, to_string(*axis)));
  for (const From value : {values.y, values.x})
    if (least && !(value >= *least))
      throw ShapeError(fmt::format("{} = {} must be {} or more", name, value, *least));
  return {static_cast<To>(values.y), static_cast<To>(values.x)};
}

Parameters parameters_of(const Mask::Cutoff& a) {
  Parameters parameters;
  parameters.taps = a.taps;
  parameters.cutoff = {a.cutoff};
  parameters.window = a.window;
  parameters.sampling_rate = a.sampling_rate;
  return parameters;
}

Parameters parameters_of(const Mask::Band& a) {
  Parameters parameters = parameters_of(Mask::Cutoff{a.taps, 0, a.sampling_rate, a.window});
  parameters.cutoff = {a.cutoff[0], a.cutoff[1]};
  return parameters;
}

Parameters with_delta(std::optional<double> delta) {
  Parameters parameters;
  if (delta) parameters.delta = {*delta};
  return parameters;
}

std::size_t direction_of(const char* name, Axis axis) {
  if (axis == y_axis) return 0;
  if (axis == x_axis) return 1;
  throw ShapeError(fmt::format("{}: axis = {}: use y_axis or x_axis", name, to_string(axis)));
}

}  // namespace

Mask Mask::gaussian(const Gaussian& a) {
  Parameters parameters;
  parameters.sigma = list_of<double>("sigma", a.sigma, a.axis);
  parameters.order = list_of<Index>("order", a.order, a.axis);
  parameters.truncate = a.truncate;
  parameters.radius = list_of<double>("radius", a.radius, a.axis, {0});
  parameters.delta = list_of<double>("delta", a.delta, a.axis);
  return over_axes("gaussian", parameters, a.axis);
}

Mask Mask::box(const Size& a) {
  Parameters parameters;
  parameters.size = list_of<Index>("size", a.size, a.axis);
  return over_axes("box", parameters, a.axis);
}

Mask Mask::binomial(const Size& a) {
  Parameters parameters;
  parameters.size = list_of<Index>("size", a.size, a.axis);
  return over_axes("binomial", parameters, a.axis);
}

Mask Mask::disk(const Disk& a) {
  Parameters parameters;
  parameters.radius = list_of<double>("radius", a.radius, a.axis);
  return over_axes("disk", parameters, a.axis);
}

Mask Mask::annulus(const Annulus& a) {
  Parameters parameters;
  parameters.radius = list_of<double>("radius", a.radius, a.axis);
  parameters.inner = list_of<double>("inner", a.inner, a.axis, {0});
  return over_axes("annulus", parameters, a.axis);
}

Mask Mask::log(const LaplacianOfGaussian& a) {
  Parameters parameters;
  parameters.sigma = list_of<double>("sigma", a.sigma, a.axis);
  parameters.truncate = a.truncate;
  parameters.radius = list_of<double>("radius", a.radius, a.axis, {0});
  parameters.delta = list_of<double>("delta", a.delta, a.axis);
  return over_axes("log", parameters, a.axis);
}

Mask Mask::dog(const DifferenceOfGaussians& a) {
  Parameters parameters;
  parameters.sigma = list_of<double>("sigma", a.sigma, a.axis);
  parameters.ratio = a.ratio;
  parameters.truncate = a.truncate;
  return over_axes("dog", parameters, a.axis);
}

Mask Mask::laplace(std::optional<Axis> axis) {
  return over_axes("laplace", {}, axis);
}
Mask Mask::laplace(std::optional<Axis> axis, const PerAxis<double>& delta) {
  Parameters parameters;
  parameters.delta = list_of<double>("delta", delta, axis);
  return over_axes("laplace", parameters, axis);
}
Mask Mask::sobel(Axis axis, std::optional<double> delta) {
  return over_two_axes("sobel", with_delta(delta), direction_of("sobel", axis));
}
Mask Mask::prewitt(Axis axis, std::optional<double> delta) {
  return over_two_axes("prewitt", with_delta(delta), direction_of("prewitt", axis));
}

Mask Mask::lowpass(const Cutoff& a) {
  return along_one_axis("lowpass", parameters_of(a), a.axis);
}
Mask Mask::highpass(const Cutoff& a) {
  return along_one_axis("highpass", parameters_of(a), a.axis);
}
Mask Mask::bandpass(const Band& a) {
  return along_one_axis("bandpass", parameters_of(a), a.axis);
}
Mask Mask::bandstop(const Band& a) {
  return along_one_axis("bandstop", parameters_of(a), a.axis);
}

Mask Mask::matched(const Matched& a) {
  Parameters parameters;
  parameters.shape_values = a.pattern;
  parameters.psd_values = a.psd;
  return along_one_axis("matched", parameters, a.axis);
}

Mask Mask::savgol(const Savgol& a) {
  Parameters parameters;
  parameters.size = {a.size};
  parameters.polyorder = a.polyorder;
  parameters.deriv = a.deriv;
  parameters.delta = {a.delta};
  return along_one_axis("savgol", parameters, a.axis);
}

}  // namespace stencil
