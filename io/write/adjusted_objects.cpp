#include "io/write/adjusted_objects.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/metadata/file_conventions.hpp"
#include "io/metadata/stated_numbers.hpp"
#include "io/read/coordinates.hpp"
#include "io/write/adjusted_attributes.hpp"
#include "io/write/axis_attributes.hpp"

namespace stencil::storage {
namespace {

constexpr Index most_numbers = 16;  // of a dataset that is adjusted as a whole
constexpr const char* what = "cannot adjust what is beside the dataset";

/// The paths of objects, as in the table, that a row says something about besides coordinates.
std::set<std::string> described_paths(const FileConventions& file) {
  std::set<std::string> paths;
  for (const Convention* row : file.rows())
    for (const Field& field : row->fields)
      if (const Place place(field.where); !place.path.empty() && field.meaning != Meaning::values)
        paths.insert(place.path);
  return paths;
}

/// An object of the output, and the group from which a path leads to it.
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

/// Whether all attributes that a convention describes are those of the input's object.
bool has_attributes_of(hid_t own, hid_t from, const FileConventions& file,
                       const std::string& path) {
  for (const std::string& name : attribute_names(from))
    if (!file.fields_of(path, name).empty() &&
        (stated_numbers(own, name) != stated_numbers(from, name) ||
         stated_text(own, name) != stated_text(from, name)))
      return false;
  return true;
}

/// Whether a dataset can hold the numbers in its own type.
bool holds_all(hid_t dataset, const std::vector<double>& numbers) {
  return !holds_integers(dataset) ||
         std::all_of(numbers.begin(), numbers.end(), [](double x) { return x == std::trunc(x); });
}

void adjust_values(const OwnObject& own, hid_t from, const Described& described,
                   const OutputSpec& spec, Skipped& skipped) {
  const std::vector<double> old = few_numbers(from, most_numbers);
  if (few_numbers(own.object, most_numbers) != old) return;
  std::vector<double> numbers = old;
  const bool is_true = mend_numbers(own.object, described, spec, numbers);
  if (is_true && numbers == old) return;
  if (is_true && holds_all(own.object, numbers)) {
    checked(H5Dwrite(own.object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()),
            what);
    return;
  }
  checked(H5Ldelete(own.group, described.path.c_str(), H5P_DEFAULT), what);
  skipped.push_back(
      fmt::format("dataset {}, which tells of other points", one_line(object_name(from))));
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
      adjust_values(own, from.object, described, spec, skipped);
  }
}

}  // namespace stencil::storage
