#include "io/read/missing_attributes.hpp"

#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "framework/grid/one_line.hpp"
#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

/// Returns the default fill value of netCDF for variables without _FillValue; std::nullopt for
/// types of one byte, for which netCDF has no default.
std::optional<ElementValue> default_fill(ElementType type) {
  switch (type) {
    case ElementType::int16:
      return -32767;
    case ElementType::uint16:
      return 65535;
    case ElementType::int32:
      return -2147483647;
    case ElementType::uint32:
      return 4294967295;
    case ElementType::int64:
      return -9223372036854775806;
    case ElementType::uint64:
      return 18446744073709551614u;
    case ElementType::float32:
    case ElementType::float64:
      return 9.9692099683868690e+36;
    default:
      return std::nullopt;
  }
}

/// Returns whether netCDF wrote the file, and the dataset is a variable that netCDF fills with a
/// fill value.
bool is_filled_by_netcdf(const DatasetPath& path) {
  bool is_netcdf = has_attribute(path.groups.front(), "_NCProperties");
  for (const char* name : {"_Netcdf4Dimid", "_Netcdf4Coordinates"})
    is_netcdf = is_netcdf || has_attribute(path.dataset, name);
  if (!is_netcdf) return false;
  const Handle creation(H5Dget_create_plist(path.dataset), H5Pclose);
  H5D_fill_time_t time = H5D_FILL_TIME_NEVER;
  return H5Pget_fill_time(creation, &time) >= 0 && time != H5D_FILL_TIME_NEVER;
}

void add_values(hid_t object, const char* name, std::vector<ElementValue>& values) {
  for (const ElementValue& value : attribute_values(object, name)) values.push_back(value);
}

/// Reads the missing values of ODIM_H5: `nodata` marks points that were not measured, and
/// `undetect` marks points without a detected signal.
void find_in_radar_groups(const DatasetPath& path, DatasetFacts& facts) {
  for (auto group = path.groups.rbegin(); group != path.groups.rend(); ++group) {
    const Handle what = child_of(*group, "what");
    if (!what || H5Iget_type(what) != H5I_GROUP) continue;
    add_values(what, "nodata", facts.missing_unasked);
    facts.missing_values = facts.missing_unasked;
    add_values(what, "undetect", facts.missing_values);
    if (!facts.missing_values.empty()) return;
  }
}

/// Returns an attribute as `missing_value = abc` if its value is a text; otherwise an empty text.
std::string missing_text_of(hid_t dataset) {
  for (const char* name : {"_FillValue", "missing_value"})
    if (const std::string text = attribute_text(dataset, name); !text.empty())
      return fmt::format("{} = {}", name, shortened(text));
  return "";
}

/// Sets the missing values of complex numbers. Only NaN in a part can mark a missing complex
/// number.
void find_of_complex(hid_t dataset, DatasetFacts& facts) {
  facts.missing_text = missing_text_of(dataset);
  for (const char* name : {"_FillValue", "missing_value"})
    for (const std::complex<double>& value : attribute_complex_numbers(dataset, name))
      if (std::isnan(value.real()) || std::isnan(value.imag()))
        facts.missing_values = facts.missing_unasked = {std::numeric_limits<double>::quiet_NaN()};
      else
        facts.missing_complex = fmt::format("{} = {}{:+}j", name, value.real(), value.imag());
}

void find_valid_range(hid_t dataset, DatasetFacts& facts) {
  const auto first = [&](const char* name) -> std::optional<ElementValue> {
    const auto values = attribute_values(dataset, name);
    if (values.size() != 1) return std::nullopt;
    return values.front();
  };
  facts.valid_min = first("valid_min");
  facts.valid_max = first("valid_max");
  if (const auto range = attribute_values(dataset, "valid_range"); range.size() == 2) {
    facts.valid_min = range[0];
    facts.valid_max = range[1];
  }
  const auto is_real = [](const std::optional<ElementValue>& limit) {
    return limit &&
           limit->visit([](auto number) { return std::is_floating_point_v<decltype(number)>; });
  };
  facts.range_is_of_values = facts.is_packed && !is_floating(facts.type) &&
                             (is_real(facts.valid_min) || is_real(facts.valid_max));
}

}  // namespace

void find_missing_values(const DatasetPath& path, DatasetFacts& facts) {
  if (facts.is_complex()) return find_of_complex(path.dataset, facts);
  for (const char* name : {"_FillValue", "missing_value"})
    add_values(path.dataset, name, facts.missing_values);
  facts.missing_unasked = facts.missing_values;
  facts.missing_text = missing_text_of(path.dataset);
  find_valid_range(path.dataset, facts);
  if (facts.missing_values.empty()) find_in_radar_groups(path, facts);
  if (!facts.missing_unasked.empty() || !is_filled_by_netcdf(path)) return;
  if (const auto fill = default_fill(facts.type)) facts.missing_unasked.push_back(*fill);
}

}  // namespace stencil::storage
