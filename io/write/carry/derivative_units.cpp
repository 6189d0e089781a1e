#include "io/write/carry/derivative_units.hpp"

#include <cmath>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/unit.hpp"
#include "io/read/coordinates.hpp"

namespace stencil::storage {
namespace {

constexpr double tolerance = 1e-4;  // relative error of coordinates in float32

bool is_close(double a, double b) {
  return std::abs(a - b) <= tolerance * std::abs(b);
}

/// Returns the unit of the coordinate of the derivative; std::nullopt if the derivative has another
/// step.
std::optional<std::string> coordinate_unit(const DatasetPath& input, const OutputSpec& spec) {
  const OutputDerivative& derivative = *spec.derivative;
  if (!derivative.unit.empty()) return derivative.unit.substr(0, derivative.unit.find(" since "));
  const std::size_t axis = derivative.axis;
  for (const Scale& scale : scales_of(input.dataset, static_cast<int>(axis))) {
    const std::string unit = scale.dataset ? attribute_text(scale.dataset, "units") : "";
    const auto spacing = unit.empty()
                             ? std::nullopt
                             : even_spacing(scale.dataset, spec.input.described().dims[axis]);
    if (!spacing) continue;
    if (is_close(derivative.step, spacing->step)) return unit.substr(0, unit.find(" since "));
    if (spacing->step < 0) return std::nullopt;
  }
  const double rate = axis < spec.input.sampling_rate.size() ? spec.input.sampling_rate[axis] : 0;
  if (is_close(derivative.step * rate, 1)) return "s";
  return std::nullopt;
}

}  // namespace

std::optional<std::string> units_of_derivative(const std::string& units, const DatasetPath& input,
                                               const OutputSpec& spec) {
  const auto unit = spec.derivative ? coordinate_unit(input, spec) : std::nullopt;
  return unit ? unit_of_derivative(units, *unit, spec.derivative->order) : std::nullopt;
}

}  // namespace stencil::storage
