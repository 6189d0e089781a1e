#include "io/write/carry/adjusted_objects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/suggestions.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/read/coordinates.hpp"
#include "io/read/dataset_text.hpp"
#include "io/read/sampling_rate.hpp"
#include "io/write/carry/adjusted_attributes.hpp"
#include "io/write/carry/axis_attributes.hpp"

namespace stencil::storage {
namespace {

constexpr Index most_numbers = 64;  // limit for a dataset whose numbers are adjusted together
constexpr const char* what = "cannot adjust the objects next to the dataset";

/// Returns the paths of the objects next to the dataset that the conventions of the file describe,
/// as the table of conventions gives these paths. Datasets that only hold one value for each point
/// (coordinates) are left out.
std::set<std::string> described_paths(const FileConventions& file) {
  std::set<std::string> paths;
  for (const Convention* row : file.rows())
    for (const Field& field : row->fields)
      if (const Place place(field.where);
          !place.path.empty() && (field.meaning != Meaning::values || !place.attribute.empty()))
        paths.insert(place.path);
  return paths;
}

/// An object of the output, and the group to which its path is relative.
struct OwnObject {
  Handle object;
  hid_t group = H5I_INVALID_HID;
};

OwnObject own_object(const std::vector<Handle>& groups, const std::string& path) {
  for (std::size_t depth = groups.size(); depth-- > 0;)
    if (Handle object = object_below(groups[depth], path))
      return {std::move(object), groups[depth]};
  return {};
}

/// Returns whether all attributes that a convention describes equal the attributes of the input's
/// object.
bool has_attributes_of(hid_t own, hid_t from, const FileConventions& file,
                       const std::string& path) {
  for (const std::string& name : attribute_names(from))
    if (!file.fields_of(path, name).empty() &&
        (stated_numbers(own, name) != stated_numbers(from, name) ||
         stated_text(own, name) != stated_text(from, name)))
      return false;
  return true;
}

/// Returns whether the type of a dataset can represent the numbers.
bool holds_all(hid_t dataset, const std::vector<double>& numbers) {
  return !holds_integers(dataset) ||
         std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::trunc(x); });
}

void remove(const OwnObject& own, const std::string& path, Skipped& skipped) {
  const std::string name = one_line(object_name(own.object));
  checked(H5Ldelete(own.group, path.c_str(), H5P_DEFAULT), what);
  skipped.push_back(fmt::format("dataset {}, which describes other points", name));
}

/// Writes a text. @returns false if the text is longer than the dataset's type allows
bool write_text(hid_t dataset, const std::string& text) {
  const Handle type = owned(H5Dget_type(dataset), H5Tclose, what);
  if (H5Tis_variable_str(type) > 0) {
    const char* words = text.c_str();
    checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &words), what);
    return true;
  }
  const std::size_t size = H5Tget_size(type);
  if (text.size() > size) return false;
  std::vector<char> padded(text.begin(), text.end());
  padded.resize(size, H5Tget_strpad(type) == H5T_STR_SPACEPAD ? ' ' : '\0');
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()), what);
  return true;
}

/// Adjusts a date in a dataset to the output's points, or removes the dataset.
void adjust_text(const OwnObject& own, const Described& described, const OutputSpec& spec,
                 Skipped& skipped) {
  const std::string old = dataset_text(own.object);
  std::string text = old;
  const bool is_true = mend_text(own.object, described, spec, text);
  if (is_true && (text == old || write_text(own.object, text))) return;
  remove(own, described.path, skipped);
}

/// Returns whether a convention describes the dataset as a list with a value for each point.
bool is_list(const Described& described) {
  const auto fields = described.file->fields_of(described.path, "");
  return std::any_of(fields.begin(), fields.end(),
                     [](const Field* field) { return field->meaning == Meaning::values; });
}

void adjust_values(const OwnObject& own, hid_t from, const Described& described,
                   const OutputSpec& spec, Skipped& skipped) {
  const std::vector<double> old = few_numbers(from, most_numbers);
  if (few_numbers(own.object, most_numbers) != old) return;
  if (old.empty() && is_list(described)) return;
  std::vector<double> numbers = old;
  const bool is_true = mend_numbers(own.object, described, spec, numbers);
  if (is_true && numbers == old) return;
  if (is_true && numbers.size() == old.size() && holds_all(own.object, numbers)) {
    checked(H5Dwrite(own.object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
            what);
    return;
  }
  remove(own, described.path, skipped);
}

void adjust_dataset_of_few(const OwnObject& own, hid_t from, const Described& described,
                           const OutputSpec& spec, Skipped& skipped) {
  const std::string text = dataset_text(from);
  if (text.empty())
    adjust_values(own, from, described, spec, skipped);
  else if (dataset_text(own.object) == text)
    adjust_text(own, described, spec, skipped);
}

/// Adjusts datasets in the groups of the filtered dataset that contain one number or one text and
/// whose names (`fs`, `dt`, `nx`) have a meaning for points in any file format.
void adjust_by_names(const std::vector<Handle>& groups, const DatasetPath& input,
                     const FileConventions& file, const OutputSpec& spec, Skipped& skipped) {
  constexpr std::size_t most_names = 1000;
  for (std::size_t depth = 0; depth < groups.size() && depth < input.groups.size(); ++depth)
    for (const std::string& name :
         link_names(input.groups[depth], most_names).value_or(std::vector<std::string>{})) {
      const Handle from = member(input.groups[depth], name, H5I_DATASET),
                   own = from ? member(groups[depth], name, H5I_DATASET) : Handle();
      const bool is_known = !file.fields_of(name, "").empty() || name == input.names[depth];
      if (!own || is_known ||
          H5Sget_simple_extent_npoints(Handle(H5Dget_space(from), H5Sclose)) != 1)
        continue;
      OwnObject at;
      at.object = member(groups[depth], name, H5I_DATASET);
      at.group = groups[depth];
      adjust_dataset_of_few(at, from, {&file, name}, spec, skipped);
    }
}

}  // namespace

void adjust_objects(const std::vector<Handle>& groups, const DatasetPath& input,
                    const OutputSpec& spec, Skipped& skipped) {
  const FileConventions file = conventions_of(input, spec);
  for (const std::string& pattern : described_paths(file)) {
    const FoundObject from = file.object_at(pattern);
    if (!from.object) continue;
    const OwnObject own = own_object(groups, from.path);
    if (!own.object || H5Iget_type(own.object) != H5Iget_type(from.object)) continue;
    const Described described{&file, from.path};
    if (has_attributes_of(own.object, from.object, file, from.path))
      mend_axis_attributes(own.object, described, spec, skipped);
    const auto fields = file.fields_of(from.path, "");
    const bool is_described = std::any_of(fields.begin(), fields.end(), [](const Field* field) {
      return field->meaning != Meaning::values;
    });
    if (is_described && H5Iget_type(own.object) == H5I_DATASET)
      adjust_dataset_of_few(own, from.object, described, spec, skipped);
  }
  if (spec.copies_rest) adjust_by_names(groups, input, file, spec, skipped);
}

}  // namespace stencil::storage
