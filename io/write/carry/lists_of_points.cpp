#include "io/write/carry/lists_of_points.hpp"

#include <fmt/core.h>

#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/followed_axes.hpp"

namespace stencil::storage {

ListsOfPoints::ListsOfPoints(const FileConventions& file, const OutputSpec& spec) : spec_(spec) {
  for (const Convention* row : file.rows())
    for (const Field& field : row->fields)
      if (field.meaning == Meaning::values) add(file, field);
}

void ListsOfPoints::add(const FileConventions& file, const Field& field) {
  const Place place(field.where);
  if (place.path.ends_with('#')) {
    if (const auto axes = file.axes_of(field, 0); axes.size() == 1)
      numbered_.emplace_back(place.path.substr(0, place.path.size() - 1), axes[0]);
  } else if (!place.attribute.empty() && !place.path.empty()) {
    if (const Handle object = file.object_at(place.path).object)
      attributes_.insert({address_of_object(object), place.attribute});
  }
}

bool ListsOfPoints::describes(hid_t object, const std::string& attribute) const {
  return attributes_.contains({address_of_object(object), attribute});
}

std::optional<std::string> ListsOfPoints::own_name(const std::string& name) const {
  constexpr std::size_t most_digits = 9;
  for (const auto& [stem, axis] : numbered_) {
    const std::string digits = name.starts_with(stem) ? name.substr(stem.size()) : "";
    if (digits.empty() || digits.size() > most_digits ||
        digits.find_first_not_of("0123456789") != digits.npos || !is_resampled(spec_, axis))
      continue;
    const AxisSampling& s = spec_.sampling[axis];
    const Index from_first = std::stol(digits) - 1 - s.first, output = from_first / s.stride;
    if (from_first < 0 || from_first % s.stride != 0 || output >= s.count || is_mixed(s))
      return std::nullopt;
    return fmt::format("{}{}", stem, output + 1);
  }
  return name;
}

}  // namespace stencil::storage
