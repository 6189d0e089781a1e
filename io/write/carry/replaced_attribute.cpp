#include "io/write/carry/replaced_attribute.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "io/hdf5/attributes.hpp"
#include "io/hdf5/hdf5_error.hpp"

namespace stencil::storage {
namespace {

/// Replaces an attribute by a new one of the same name.
void replace(hid_t object, const std::string& name, hid_t type, hid_t space, hid_t memory_type,
             const void* values, const std::string& what) {
  checked(H5Adelete(object, name.c_str()), what);
  const Handle made = owned(H5Acreate2(object, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT),
                            H5Aclose, what);
  checked(H5Awrite(made, memory_type, values), what);
}

/// Returns whether an integer type can represent all values.
bool are_whole(const std::vector<double>& values, hid_t type) {
  const double beyond =
      std::min(std::ldexp(1.0, static_cast<int>(8 * H5Tget_size(type)) - 1), 9e15);
  return std::all_of(values.begin(), values.end(), [&](double value) {
    return value == std::trunc(value) && value < beyond && value >= -beyond &&
           (value >= 0 || H5Tget_sign(type) != H5T_SGN_NONE);
  });
}

/// Replaces a text that is stored as single characters, one value each.
void replace_characters(hid_t object, const std::string& name, hid_t type, const std::string& text,
                        const std::string& what) {
  const hsize_t count = text.size();
  const Handle space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  replace(object, name, type, space, type, text.data(), what);
}

}  // namespace

void replace_numbers(hid_t object, const std::string& name, const std::vector<double>& values) {
  const std::string what = "cannot adjust the attribute " + one_line(name);
  Handle attribute = owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle stored = owned(H5Aget_type(attribute), H5Tclose, what);
  Handle space = owned(H5Aget_space(attribute), H5Sclose, what);
  const hsize_t count = values.size();
  if (H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(count))
    space = owned(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  checked(attribute.close(), what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);  // the copy of a named type is
                                                               // transient and can be used in the
                                                               // output
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING) return replace_text(object, name, fmt::format("{}", values.at(0)));
  const bool stays = kind != H5T_INTEGER || are_whole(values, type);
  replace(object, name, stays ? hid_t{type} : H5T_IEEE_F64LE, space, H5T_NATIVE_DOUBLE,
          values.data(), what);
}

void replace_text(hid_t object, const std::string& name, const std::string& text) {
  const std::string what = "cannot adjust the attribute " + one_line(name);
  Handle attribute = owned(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, what);
  const Handle stored = owned(H5Aget_type(attribute), H5Tclose, what);
  const Handle type = owned(H5Tcopy(stored), H5Tclose, what);
  const Handle space = owned(H5Aget_space(attribute), H5Sclose, what);
  checked(attribute.close(), what);
  if (H5Tis_variable_str(type) > 0) {
    const char* words = text.c_str();
    return replace(object, name, type, space, type, &words, what);
  }
  if (H5Sget_simple_extent_npoints(space) > 1)
    return replace_characters(object, name, type, text, what);
  checked(H5Tset_size(type, text.size() + (H5Tget_strpad(type) == H5T_STR_NULLTERM ? 1 : 0)), what);
  replace(object, name, type, space, type, text.c_str(), what);
}

}  // namespace stencil::storage
