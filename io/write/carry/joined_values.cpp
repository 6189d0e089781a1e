#include "io/write/carry/joined_values.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/read/coordinate_numbers.hpp"
#include "io/read/file_check.hpp"
#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/time_conversion.hpp"

namespace stencil::storage {
namespace {

constexpr Index most_values = Index{1} << 27;  // 1 GiB

H5T_class_t kind_of(hid_t coordinates, const std::string& what) {
  return H5Tget_class(owned(H5Dget_type(coordinates), H5Tclose, what));
}

bool is_packed(hid_t coordinates) {
  for (const char* name : {"scale_factor", "add_offset", "_Unsigned"})
    if (has_attribute(coordinates, name)) return true;
  return false;
}

/// Reads the coordinates of the joined files, one file after the other.
template <class T>
class Reading {
 public:
  Reading(hid_t from, const OutputSpec& spec, std::size_t axis, const CoordinateFinder& find,
          const std::string& what)
      : from_(from), input_(spec.input), axis_(axis), find_(find), what_(what) {}

  /// Returns the coordinates of all output points; std::nullopt if some point has no coordinate.
  std::optional<std::vector<T>> at(const AxisSampling& sampling) {
    std::vector<T> values(static_cast<std::size_t>(sampling.count));
    std::optional<Index> known;  // the last output point whose coordinate is in a file
    for (Index i = 0; i < sampling.count; ++i) {
      const VirtualMapping* const mapping =
          mapping_at(place_of(sampling.first + i * sampling.stride));
      if (!mapping) return std::nullopt;
      if (mapping->source == in_no_file) continue;
      if (!load(mapping->source)) return std::nullopt;
      const Index step = mapping->source_step.empty() ? 1 : mapping->source_step[axis_];
      const Index index = mapping->source_start[axis_] + (place_ - mapping->start[axis_]) * step;
      values[static_cast<std::size_t>(i)] = numbers_[static_cast<std::size_t>(index)];
      if (i > 0 && !known) return std::nullopt;  // the output begins in a gap
      for (Index j = known.value_or(i) + 1; j < i; ++j)
        values[static_cast<std::size_t>(j)] = between(values, *known, i, j);
      known = i;
    }
    if (known != sampling.count - 1) return std::nullopt;
    return values;
  }

 private:
  static T between(const std::vector<T>& values, Index low, Index high, Index at) {
    const T first = values[static_cast<std::size_t>(low)],
            last = values[static_cast<std::size_t>(high)];
    const double part = static_cast<double>(at - low) / static_cast<double>(high - low);
    const double beyond = static_cast<double>(last - first) * part;
    if constexpr (std::is_integral_v<T>) return first + std::llround(beyond);
    return first + static_cast<T>(beyond);
  }

  /// Returns the position of a point among the points of the input; for a selection, among the
  /// selected points, or -1 if the point is not selected.
  Index place_of(Index index) {
    place_ = index - input_.joined_first;
    if (!input_.selected.empty()) {
      const AxisSelection& points = input_.selected[axis_];
      const Index beyond = place_ - points.first;
      place_ = beyond % points.step == 0 ? beyond / points.step : -1;
    }
    return place_;
  }

  /// Returns the mapping that contains a position. Positions are ascending, so the search continues
  /// where the previous search ended.
  const VirtualMapping* mapping_at(Index place) {
    while (next_ < input_.mappings.size()) {
      const VirtualMapping& mapping = input_.mappings[next_];
      if (place < mapping.start[axis_]) return nullptr;
      if (place < mapping.start[axis_] + mapping.count[axis_]) return &mapping;
      ++next_;
    }
    return nullptr;
  }

  bool load(Index source) {
    if (source == loaded_) return true;
    const DatasetFacts& facts = input_.source_datasets[static_cast<std::size_t>(source)];
    const Handle file = open_for_reading(facts.file);
    const Handle coordinates = find_(open_dataset(file, facts.file, facts.dataset));
    if (!coordinates || !has_length(coordinates, facts.dims[axis_]) ||
        !is_stored_here(coordinates) || is_packed(coordinates) ||
        kind_of(coordinates, what_) != kind_of(from_, what_))
      return false;
    const auto conversion = time_conversion(coordinates, from_);
    if (!conversion) return false;
    numbers_.resize(static_cast<std::size_t>(facts.dims[axis_]));
    if (!succeeded(
            H5Dread(coordinates, memory_type(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers_.data()),
            coordinates, "cannot read coordinates"))
      throw Unreadable(what_);
    for (T& number : numbers_) {
      const auto own = converted(number, *conversion);
      if (!own) return false;
      number = *own;
    }
    loaded_ = source;
    return true;
  }

  static hid_t memory_type() {
    return std::is_integral_v<T> ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
  }

  hid_t from_;
  const DatasetFacts& input_;
  const std::size_t axis_;
  const CoordinateFinder& find_;
  const std::string& what_;
  std::size_t next_ = 0;
  Index place_ = 0;
  Index loaded_ = in_no_file;
  std::vector<T> numbers_;  // numbers of the loaded source
};

template <class T>
Handle carry_as(hid_t from, const OutputSpec& spec, std::size_t axis, const CoordinateFinder& find,
                hid_t group, const std::string& name, const std::string& what) {
  const auto values = Reading<T>(from, spec, axis, find, what).at(spec.sampling[axis]);
  if (!values) return {};
  const Handle stored = owned(H5Dget_type(from), H5Tclose, what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);  // the copy of a named type is
                                                               // transient and can be used in the
                                                               // output
  Handle target = make_values(group, name, type, {spec.sampling[axis].count}, what);
  checked(H5Dwrite(target, std::is_integral_v<T> ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, H5S_ALL,
                   H5S_ALL, H5P_DEFAULT, values->data()),
          what);
  return target;
}

}  // namespace

bool has_gaps_inside(const OutputSpec& spec, std::size_t axis) {
  const std::vector<TimeHole>& holes = spec.input.described().holes;
  return spec.input.joined_axis == static_cast<int>(axis) &&
         std::any_of(holes.begin(), holes.end(),
                     [&](const TimeHole& hole) { return hole.axis == static_cast<int>(axis); });
}

Handle carry_joined_values(hid_t from, const OutputSpec& spec, std::size_t axis,
                           const CoordinateFinder& find, hid_t group, const std::string& name,
                           const std::string& what) {
  if (spec.input.joined_axis != static_cast<int>(axis) || is_packed(from) ||
      spec.sampling[axis].count > most_values)
    return {};
  const H5T_class_t kind = kind_of(from, what);
  if (kind == H5T_INTEGER) return carry_as<Index>(from, spec, axis, find, group, name, what);
  if (kind == H5T_FLOAT) return carry_as<double>(from, spec, axis, find, group, name, what);
  return {};
}

}  // namespace stencil::storage
