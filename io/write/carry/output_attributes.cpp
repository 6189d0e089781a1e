#include "io/write/carry/output_attributes.hpp"

#include <fmt/core.h>

#include <vector>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/readable.hpp"
#include "io/read/coordinates.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/derivative_units.hpp"

namespace stencil::storage {
namespace {

/// Bookkeeping of HDF5's dimension scales and of netCDF, and bounds of cells.
const std::set<std::string> never_copied{"DIMENSION_LIST", "REFERENCE_LIST", "DIMENSION_LABELS",
                                         "_NCProperties",  "_Netcdf4Dimid",  "_Netcdf4Coordinates",
                                         "_nc3_strict",    "bounds"};

const std::set<std::string> of_scales{"CLASS", "NAME"};

const std::set<std::string> of_old_files{"CLASS", "NAME", "_FillValue", "missing_value"};
const std::set<std::string> of_old_values{"actual_range", "valid_range", "valid_min", "valid_max"};

/// Attributes with the name of the quantity of the points or its unit, in CF, gwpy, files of LIGO
/// and ProdML.
const std::set<std::string> of_the_quantity{"units",  "unit",   "standard_name", "long_name",
                                            "Yunits", "Ylabel", "RawDataUnit",   "RawDescription"};
const std::set<std::string> of_the_quantity_in_groups{"RawDataUnit", "RawDescription"};

/// Returns whether an attribute was written by this program to record how a file was made.
bool is_provenance(const std::string& name) {
  return name.starts_with("stencil_");
}

constexpr std::size_t largest_attribute = std::size_t{64} << 20;  // bytes

bool has_references(hid_t type) {
  return H5Tdetect_class(type, H5T_REFERENCE) > 0;
}

/// An attribute as read, in its own type.
struct Content {
  Handle type, space;
  std::vector<char> values;
  bool is_read = false;

  Content() = default;
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;
  ~Content() {
    if (is_read && (H5Tdetect_class(type, H5T_VLEN) > 0 || H5Tis_variable_str(type) > 0))
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, values.data());
  }
};

/// Reads an attribute. @returns false if the attribute is damaged or too large
bool read_content(hid_t attribute, Content& content) {
  const Handle stored(H5Aget_type(attribute), H5Tclose);
  content.type = Handle(H5Tcopy(stored), H5Tclose);  // the copy of a named type is transient and
                                                     // can be used in the output
  content.space = Handle(H5Aget_space(attribute), H5Sclose);
  if (!content.type || !content.space) return false;
  const hssize_t count = H5Sget_simple_extent_npoints(content.space);
  const std::size_t size = H5Tget_size(content.type);
  if (count < 0 || size == 0 || static_cast<std::size_t>(count) > largest_attribute / size)
    return false;
  content.values.resize(static_cast<std::size_t>(count) * size);
  if (count == 0) return true;
  content.is_read = read_attribute(attribute, content.type, content.values.data());
  return content.is_read;
}

void write_content(hid_t to, const std::string& name, const Content& content) {
  const std::string what = fmt::format("cannot carry over the attribute {}", one_line(name));
  const Handle target =
      owned(H5Acreate2(to, name.c_str(), content.type, content.space, H5P_DEFAULT, H5P_DEFAULT),
            H5Aclose, what);
  if (content.is_read) checked(H5Awrite(target, content.type, content.values.data()), what);
}

enum class Copied {
  is_copied,
  is_of_other_kind,  ///< has references and `change` is empty, or the other way round
  is_unreadable      ///< cannot be read by this program or by readers of the copy
};

/// Copies one attribute.
/// @param change  converts the values of attributes with references; if empty, attributes with
///                references are skipped; otherwise, attributes without references are skipped
Copied copy_attribute(hid_t from, hid_t to, const std::string& name, const AttributeRoom& room,
                      const ChangeValues& change = {}) {
  constexpr Copied unreadable = Copied::is_unreadable;
  const Handle attribute(H5Aopen(from, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!succeeded(attribute ? 0 : -1, from, "cannot open the attribute " + one_line(name)))
    return unreadable;
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (type && has_references(type) == !change) return Copied::is_of_other_kind;
  if (change && !has_object_references(type)) return unreadable;  // regions may differ
  if (!is_utf8(name) || (!change && !is_readable(type)))
    return unreadable;  // not listed by readers
  if (!is_sound(attribute, name, room)) return unreadable;
  Content content;
  if (!read_content(attribute, content)) return unreadable;
  if (change && content.is_read)
    change(content.type, reinterpret_cast<std::byte*>(content.values.data()),
           content.values.size() / H5Tget_size(content.type));
  write_content(to, name, content);
  return Copied::is_copied;
}

std::string note_on(hid_t object, const std::string& attribute) {
  return fmt::format("attribute {} of {}", one_line(attribute), one_line(object_name(object)));
}

bool refers_to_others(hid_t object, const std::string& attribute) {
  const Handle opened(H5Aopen(object, attribute.c_str(), H5P_DEFAULT), H5Aclose);
  const Handle type(opened ? H5Aget_type(opened) : H5I_INVALID_HID, H5Tclose);
  return type && has_references(type);
}

std::set<std::string> existing_attributes(hid_t object) {
  std::vector<std::string> names = attribute_names(object);
  return {names.begin(), names.end()};
}

/// Writes the missing value in the type of the output, as CF requires, if this type can represent
/// the value.
void write_missing(hid_t dataset, const std::string& name, const ElementValue& value,
                   ElementType type) {
  visit_element(type, [&](auto example) {
    using Element = decltype(example);
    if (!value.holds<Element>()) return;
    const auto element = value.as<Element>();
    const hsize_t one = 1;
    const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const std::string what = "cannot write the attribute " + name;
    const Handle attribute =
        owned(H5Acreate2(dataset, name.c_str(), native_type(type), space, H5P_DEFAULT, H5P_DEFAULT),
              H5Aclose, what);
    checked(H5Awrite(attribute, native_type(type), &element), what);
  });
}

/// Skips attributes of the input's packing if they are not valid for the output.
void leave_out_packing(hid_t dataset, const OutputSpec& spec, std::set<std::string>& except,
                       Skipped& skipped) {
  constexpr const char* other_numbers = "which the output's values do not follow";
  const bool is_of_values = spec.input.reads_values;
  const char* const why = is_of_values ? "as the output's values follow it already" : other_numbers;
  if (spec.packing)
    except.insert({"scale_factor", "add_offset"});  // the output has its own
  else if (!spec.packed_attributes)
    leave_out(dataset, {"scale_factor", "add_offset"}, why, except, skipped);
  if (is_of_values || spec.type != spec.input.type)
    leave_out(dataset, {"_Unsigned"}, why, except, skipped);
}

/// If the output and the input differ in type, skips attributes that give meanings to numbers of
/// the input's type: the attributes of flags, and the attribute `dtype`, by which xarray recognises
/// booleans that it has written as bytes.
void leave_out_names_of_numbers(const DatasetPath& input, const OutputSpec& spec,
                                std::set<std::string>& except, Skipped& skipped) {
  if (spec.type == spec.input.type) return;
  constexpr const char* why = "which describes numbers of the type of the input";
  leave_out(input.dataset, {"flag_values", "flag_masks", "flag_meanings"}, why, except, skipped);
  if (attribute_text(input.dataset, "dtype") == "bool")
    leave_out(input.dataset, {"dtype"}, why, except, skipped);
}

constexpr const char* not_of_derivatives =
    "which describes the quantity before it was differentiated";

/// Writes the units of a derivative if they are known. Otherwise units and all other metadata of
/// the quantity are skipped.
void carry_units(const DatasetPath& input, hid_t dataset, const OutputSpec& spec,
                 std::set<std::string>& except, Skipped& skipped) {
  std::set<std::string> untrue = of_the_quantity;
  for (const char* name : {"units", "unit", "Yunits"}) {
    if (!has_attribute(input.dataset, name)) continue;
    const auto units = units_of_derivative(attribute_text(input.dataset, name), input, spec);
    if (!units) continue;
    write_attribute(dataset, name, *units);
    untrue.erase(name);
    except.insert(name);
  }
  leave_out(input.dataset, untrue, not_of_derivatives, except, skipped);
}

/// Adds a note on each of the attributes `names`. These attributes refer to other objects, so only
/// copy_references() can copy them. Adds nothing if spec.copies_rest.
void tell_references(hid_t from, const std::vector<std::string>& names, const OutputSpec& spec,
                     Skipped& skipped) {
  if (spec.copies_rest) return;
  for (const std::string& name : names)
    skipped.push_back(note_on(from, name) + ", which refers to other objects");
}

}  // namespace

std::vector<std::string> copy_attributes(hid_t from, hid_t to, const std::set<std::string>& except,
                                         Skipped& skipped) {
  const AttributeRoom room = attribute_room(from);
  const bool is_scale = attribute_text(from, "CLASS") == "DIMENSION_SCALE";
  const std::set<std::string> existing = existing_attributes(to);
  std::vector<std::string> with_references;
  for (const std::string& name : attribute_names(from)) {
    if (never_copied.contains(name) || (is_scale && of_scales.contains(name)) ||
        is_provenance(name))
      continue;
    if (except.contains(name) || existing.contains(name)) {
      if (refers_to_others(from, name)) with_references.push_back(name);
      continue;
    }
    const Copied copied = copy_attribute(from, to, name, room);
    if (copied == Copied::is_of_other_kind) with_references.push_back(name);
    if (copied == Copied::is_unreadable) skipped.push_back(note_on(from, name));
  }
  return with_references;
}

void copy_references(hid_t from, hid_t to, Skipped& skipped, const ChangeValues& change) {
  const AttributeRoom room = attribute_room(from);
  const std::set<std::string> existing = existing_attributes(to);
  for (const std::string& name : attribute_names(from))
    if (!never_copied.contains(name) && !is_provenance(name) && !existing.contains(name) &&
        copy_attribute(from, to, name, room, change) == Copied::is_unreadable)
      skipped.push_back(note_on(from, name));
}

void leave_out(hid_t from, const std::set<std::string>& names, const std::string& reason,
               std::set<std::string>& except, Skipped& skipped) {
  for (const std::string& name : names)
    if (checked(H5Aexists(from, name.c_str()), "cannot look for the attribute " + name) > 0) {
      except.insert(name);
      skipped.push_back(fmt::format("{}, {}", note_on(from, name), reason));
    }
}

void carry_group_attributes(const DatasetPath& input, const std::vector<Handle>& groups,
                            const OutputSpec& spec, Skipped& skipped) {
  for (std::size_t up = 0; up < input.groups.size(); ++up) {
    const std::size_t from = input.groups.size() - 1 - up;
    const std::size_t to = up < groups.size() ? groups.size() - 1 - up : 0;
    std::set<std::string> except;
    if (from == 0 || to == 0) except.insert("history");  // write_provenance() writes both histories
    if (spec.is_derivative)
      leave_out(input.groups[from], of_the_quantity_in_groups, not_of_derivatives, except, skipped);
    // attributes of the whole file stay at the root, even if the output's dataset is deeper
    const auto with_references =
        copy_attributes(input.groups[from], groups[from == 0 ? 0 : to], except, skipped);
    tell_references(input.groups[from], with_references, spec, skipped);
  }
  adjust_groups(groups, input, spec, skipped);
}

void carry_dataset_attributes(const DatasetPath& input, hid_t dataset, const OutputSpec& spec,
                              Skipped& skipped) {
  std::set<std::string> except = of_old_files;
  leave_out(input.dataset, of_old_values, "which describes the input's values", except, skipped);
  leave_out_packing(input.dataset, spec, except, skipped);
  leave_out_names_of_numbers(input, spec, except, skipped);
  if (!spec.missing_value)  // a result may have this value without being missing
    leave_out(input.dataset, {"_FillValue", "missing_value"},
              "as no point of the output is missing", except, skipped);
  if (spec.is_derivative) carry_units(input, dataset, spec, except, skipped);
  tell_references(input.dataset, copy_attributes(input.dataset, dataset, except, skipped), spec,
                  skipped);
  adjust_dataset(dataset, input, spec, skipped);
}

std::string earlier_history(const DatasetPath& input) {
  return attribute_text(input.groups.front(), "history");
}

void write_own_attributes(hid_t dataset, const OutputSpec& spec) {
  if (spec.missing_value) write_missing(dataset, "_FillValue", *spec.missing_value, spec.type);
  if (spec.packing) {
    write_attribute(dataset, "scale_factor", spec.packing->scale);
    write_attribute(dataset, "add_offset", spec.packing->offset);
  }
  // the rate is also written to the dataset, because users of netCDF read the attributes of
  // variables, and netCDF readers accept any attribute there
  const auto rate = spec.provenance.find("stencil_sampling_rate");
  if (rate != spec.provenance.end() && has_attribute(dataset, "DIMENSION_LIST"))
    write_attribute(dataset, rate->first, rate->second);
}

void write_provenance(hid_t root, const OutputSpec& spec, const std::string& earlier) {
  for (const auto& [name, text] : spec.provenance) {
    const bool goes_on = name == "history" && !earlier.empty();
    write_attribute(root, name, goes_on ? fmt::format("{}\n{}", text, earlier) : text);
  }
}

}  // namespace stencil::storage
