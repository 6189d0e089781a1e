#include "io/write/carry/axis_statements.hpp"

#include <algorithm>

#include "framework/grid/shape.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/metadata/common_names.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/read/dataset_text.hpp"
#include "io/read/times.hpp"

namespace stencil::storage {
namespace {

using Axes = std::vector<std::size_t>;

/// Returns those of `axes` that have this number of points; all of them if no axis has it.
Axes narrowed(const Axes& axes, double points, const OutputSpec& spec) {
  Axes fitting;
  for (const std::size_t axis : axes)
    if (static_cast<double>(spec.input.described().dims[axis]) == points) fitting.push_back(axis);
  return fitting.empty() ? axes : fitting;
}

/// Returns whether one of the axes has this number of points.
bool has_points(const Axes& axes, double points, const OutputSpec& spec) {
  const auto& dims = spec.input.described().dims;
  return std::any_of(axes.begin(), axes.end(),
                     [&](std::size_t axis) { return static_cast<double>(dims[axis]) == points; });
}

std::vector<const Field*> fields_of(const Described& described, const std::string& name) {
  if (described.file) return described.file->fields_of(described.path, name);
  std::vector<const Field*> fields;
  for (const Convention& row : conventions())
    for (const Field& field : row.fields) {
      const Place place(field.where);
      const bool is_own = place.path == described.path || (place.path.empty() && row.needs.empty());
      if (place.attribute == name && is_own && fields.empty()) fields.push_back(&field);
    }
  return fields;
}

Axes axes_of(const Described& described, const Field& field, std::size_t component) {
  if (described.own_axis) return {*described.own_axis};
  return described.file->axes_of(field, component);
}

/// Returns whether a field applies to a dataset with `count` values. Several fields may exist for
/// one dataset: some describe a list with a value for each point, others a single value of a short
/// list.
bool is_of_so_many(const Field& field, const Axes& axes, std::size_t count,
                   const OutputSpec& spec) {
  const bool is_list = has_points(axes, static_cast<double>(count), spec);
  return field.meaning == Meaning::values ? is_list : field.component < 0 || count < 3 || !is_list;
}

std::vector<AxisStatement> by_fields(const Described& described,
                                     const std::vector<const Field*>& fields, std::size_t count,
                                     const std::vector<double>& numbers, const OutputSpec& spec) {
  std::vector<AxisStatement> statements;
  for (const Field* field : fields) {
    const std::size_t one = field->component < 0 ? 0 : static_cast<std::size_t>(field->component);
    // such a large value has another meaning
    if (one < numbers.size() && numbers[one] > field->most) continue;
    if (fields.size() > 1 && !is_of_so_many(*field, axes_of(described, *field, 0), count, spec))
      continue;
    AxisStatement statement{field->meaning,
                            axes_of(described, *field, 0),
                            std::string(field->unit),
                            std::string(field->spacing),
                            std::nullopt,
                            true};
    if (field->axis == "each" || field->axis == "reversed") {
      for (std::size_t k = 0; k < count; ++k) {
        statement.axes = axes_of(described, *field, k);
        statement.component = k;
        statements.push_back(statement);
      }
      continue;
    }
    if (field->component >= 0) statement.component = static_cast<std::size_t>(field->component);
    if (field->meaning == Meaning::count && numbers.size() == 1) {
      // a count that no axis has describes other data, such as all loci of an acquisition
      if (!has_points(statement.axes, numbers[0], spec)) statement.meaning = Meaning::constant;
      statement.axes = narrowed(statement.axes, numbers[0], spec);
    }
    statements.push_back(std::move(statement));
  }
  return statements;
}

/// Returns whether an attribute has a value that can describe points: numbers, a date, or a text
/// with digits. Called if the name of the attribute only suggests such a meaning.
bool may_tell_of_points(hid_t object, const std::string& attribute,
                        const std::vector<double>& numbers) {
  if (!numbers.empty()) return true;
  const std::string text =
      attribute.empty() ? dataset_text(object) : stated_text(object, attribute);
  return text.find_first_of("0123456789") != text.npos;
}

/// Returns whether `quantity` is a count that describes something other than the axes, because no
/// axis has this number of points.
bool is_about_others(const NamedQuantity& quantity, const std::vector<double>& numbers,
                     const Axes& possible, const OutputSpec& spec) {
  if (quantity.is_certain || numbers.size() != 1 || quantity.meaning != Meaning::count)
    return false;
  return !has_points(possible, numbers[0], spec);
}

/// Returns the statement that the name of an attribute makes.
/// @param attribute  if empty, the object is a dataset, and its name is used
std::optional<AxisStatement> by_name(const Described& described, hid_t object,
                                     const std::string& attribute,
                                     const std::vector<double>& numbers, const OutputSpec& spec) {
  const auto quantity = quantity_named(
      attribute.empty() ? described.path.substr(described.path.rfind('/') + 1) : attribute);
  if (!quantity || !may_tell_of_points(object, attribute, numbers)) return std::nullopt;
  Axes axes = described.own_axis ? Axes{*described.own_axis}
                                 : described.file->axes().possible(quantity->axis);
  if (is_about_others(*quantity, numbers, axes, spec)) return std::nullopt;
  const bool is_size = quantity->meaning == Meaning::count || quantity->meaning == Meaning::length;
  Meaning meaning = quantity->meaning;
  if (is_size && numbers.size() == 1) {
    axes = narrowed(axes, numbers[0], spec);
    if (!quantity->is_certain && has_points(axes, numbers[0], spec)) meaning = Meaning::count;
  }
  const bool is_one = numbers.size() <= 1;
  return AxisStatement{meaning,        std::move(axes),
                       quantity->unit, std::string(quantity->spacing),
                       std::nullopt,   quantity->is_certain && is_one};
}

/// Returns the statement of an attribute or dataset that is a list with one value for each point of
/// a resampled axis.
std::optional<AxisStatement> by_length(hid_t object, const std::string& name,
                                       const std::optional<std::size_t>& own_axis,
                                       const OutputSpec& spec) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle space(attribute ? H5Aget_space(attribute) : H5I_INVALID_HID, H5Sclose);
  const hssize_t count = space ? H5Sget_simple_extent_npoints(space) : 0;
  const auto& dims = spec.input.described().dims;
  AxisStatement statement{Meaning::values, {}, {}, {}, std::nullopt, false};
  for (std::size_t axis = 0; axis < dims.size(); ++axis)
    if (count > 1 && static_cast<Index>(count) == dims[axis] && (!own_axis || *own_axis == axis))
      statement.axes.push_back(axis);
  if (statement.axes.empty()) return std::nullopt;
  return statement;
}

}  // namespace

std::vector<AxisStatement> statements_of(const Described& described, hid_t object,
                                         const std::string& name,
                                         const std::vector<double>& numbers,
                                         const OutputSpec& spec) {
  if (const auto fields = fields_of(described, name); !fields.empty())
    return by_fields(described, fields, numbers.size(), numbers, spec);
  if (auto statement = by_name(described, object, name, numbers, spec)) return {*statement};
  if (name.empty()) return {};
  if (auto statement = by_length(object, name, described.own_axis, spec)) return {*statement};
  return {};
}

bool still_holds(Meaning meaning, const AxisSampling& s, Index inputs) {
  const bool same_first = s.first == 0,
             same_last = s.first + (s.count - 1) * s.stride + 1 == inputs;
  switch (meaning) {
    case Meaning::constant:
    case Meaning::pulse_rate:
      return true;
    case Meaning::count:
    case Meaning::total:
      return s.count == inputs;
    case Meaning::spacing:
    case Meaning::rate:
    case Meaning::nyquist:
    case Meaning::fraction:
      return s.stride == 1;
    case Meaning::first:
      return same_first;
    case Meaning::index:
    case Meaning::part:
    case Meaning::low_edge:
      return same_first && s.stride == 1;
    case Meaning::last:
      return same_last;
    case Meaning::range:
      return same_first && same_last;
    case Meaning::length:
      return s.count * s.stride == inputs;
    case Meaning::of_values:
      return false;
    case Meaning::last_index:
    case Meaning::begin_index:
    case Meaning::end_index:
    case Meaning::turn:
    case Meaning::levels:
    case Meaning::high_edge:
    case Meaning::whole:
    case Meaning::values:
      return same_first && s.stride == 1 && s.count == inputs;
  }
  return false;
}

}  // namespace stencil::storage
