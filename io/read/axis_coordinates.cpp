#include "io/read/axis_coordinates.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/scales.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/metadata/time_scale.hpp"
#include "io/metadata/unit.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/file_check.hpp"
#include "io/read/same_values.hpp"
#include "io/read/stack.hpp"

namespace stencil::storage {
namespace {

using Kind = AxisCoordinates::Kind;

/// Returns whether a unit is one of CF's six spellings of degrees towards a direction, `north` or
/// `east`. The case of letters is ignored. It is significant in CF, but UDUNITS ignores it in names
/// of units, so that other programs also read `degrees_North`.
bool is_degrees(std::string unit, const std::string& direction) {
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const char letter = direction[0];
  for (const char* degrees : {"degrees", "degree"})
    if (unit == fmt::format("{}_{}", degrees, direction) ||
        unit == fmt::format("{}_{}", degrees, letter) ||
        unit == fmt::format("{}{}", degrees, letter))
      return true;
  return false;
}

/// Returns the kind of the coordinates in a dimension scale: latitude, longitude or other.
Kind direction_of(hid_t scale, const std::string& unit) {
  if (is_degrees(unit, "north")) return Kind::latitude;
  if (is_degrees(unit, "east")) return Kind::longitude;
  const std::string name = attribute_text(scale, "standard_name");
  if (name == "latitude" || name == "grid_latitude") return Kind::latitude;
  if (name == "longitude" || name == "grid_longitude") return Kind::longitude;
  return Kind::other;
}

/// Returns the size of a unit of angles in radians; std::nullopt for other units and for plain
/// numbers, which UDUNITS also converts to radians.
std::optional<double> radians_of(const std::string& unit) {
  const auto own = Unit::parse(unit), radian = Unit::parse("rad");
  if (!own || !radian || unit.empty() || unit == "1") return std::nullopt;
  return own->in(*radian);
}

/// @param period  see even_spacing()
std::string uneven_words(hid_t scale, Index length, double period) {
  if (length < 2) return "there is a single point";
  if (period == 0 && is_too_coarse(scale, length))
    return "its numbers have too few digits for their spacing";
  const auto uneven = uneven_step(scale, length, period);
  if (!uneven) return "its numbers are constant or cannot be read";
  return fmt::format("points {} and {} are {:.9g} apart, but points 0 and 1 are {:.9g} apart",
                     uneven->before, uneven->before + 1, uneven->step, uneven->first);
}

AxisCoordinates coordinates_in(const Scale& scale, Index length) {
  const std::string unit = attribute_text(scale.dataset, "units");
  AxisCoordinates found;
  found.kind = direction_of(scale.dataset, unit);
  found.source = one_line(scale.path);
  double factor = 1;
  if (const auto angle = found.kind == Kind::other ? std::nullopt : radians_of(unit)) {
    found.unit = std::string("rad");  // without the constructor, GCC 12 warns in error
    factor = *angle;
  } else if (const auto time = time_unit_of(unit, attribute_text(scale.dataset, "calendar"))) {
    found.kind = Kind::time;
    found.unit = std::string("s");
    factor = time->seconds();
  } else {
    found.kind = Kind::other;
    found.unit = unit;
  }
  const double period = period_of(scale.dataset);
  if (const auto spacing = even_spacing(scale.dataset, length, period))
    found.step = spacing->step * factor;
  else
    found.uneven = uneven_words(scale.dataset, length, period);
  if (found.kind == Kind::latitude) {
    found.latitudes = values_of(scale.dataset, length);
    for (double& latitude : found.latitudes) latitude *= factor;
  }
  return found;
}

/// Throws unless all joined datasets have the same scale.
void require_in_all(const DatasetFacts& facts, const Scale& scale, int axis) {
  for (std::size_t i = 1; facts.joined_axis && i < facts.source_datasets.size(); ++i) {
    const DatasetFacts& source = facts.source_datasets[i];
    const Handle file = open_for_reading(source.file);
    if (!has_same_scale(open_dataset(file, source.file, source.dataset), axis, scale))
      throw StorageError(
          fmt::format("{}: its scale {} differs from that of {}: files with "
                      "different coordinates have no common spacing",
                      qualified_name(source.file, source.dataset), one_line(scale.path),
                      facts.described().file));
  }
}

double radius_of(const DatasetPath& path) {
  std::string mapping = attribute_text(path.dataset, "grid_mapping");
  mapping = mapping.substr(0, mapping.find_first_of(": "));  // the form of CF 1.7: `crs: lat lon`
  if (mapping.empty()) return standard_earth_radius;
  for (const hid_t group : groups_near(path))
    if (const Handle variable = object_below(group, mapping)) {
      const std::vector<double> radius = stated_numbers(variable, "earth_radius");
      if (radius.size() == 1 && std::isfinite(radius[0]) && radius[0] > 0) return radius[0];
    }
  return standard_earth_radius;
}

}  // namespace

double period_of(hid_t scale) {
  const std::string unit = attribute_text(scale, "units");
  if (direction_of(scale, unit) != Kind::longitude) return 0;
  const auto angle = radians_of(unit);
  return angle ? 2 * std::numbers::pi / *angle : 0;
}

void find_coordinates(DatasetFacts& facts) {
  const DatasetFacts& described = facts.described();
  const Handle file = open_for_reading(described.file);
  const DatasetPath path = open_dataset(file, described.file, described.dataset);
  facts.coordinates.assign(facts.dims.size(), {});
  facts.earth_radius = radius_of(path);
  for (std::size_t axis = 0; axis < described.dims.size(); ++axis) {
    const std::size_t own = axis + new_axes(facts);
    if (static_cast<int>(own) == facts.joined_axis.value_or(-1)) continue;
    for (const Scale& scale : scales_of(path.dataset, static_cast<int>(axis)))
      if (scale.dataset && ends_of(scale.dataset, described.dims[axis])) {
        require_in_all(facts, scale, static_cast<int>(axis));
        facts.coordinates[own] = coordinates_in(scale, described.dims[axis]);
        break;
      }
  }
}

}  // namespace stencil::storage
