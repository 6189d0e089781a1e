#include "io/hdf5/hdf5_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "framework/grid/error.hpp"
#include "io/hdf5/system_error.hpp"

namespace stencil::storage {
namespace {

/// Keeps the first description of the error stack, which is traversed from the innermost call
/// outwards.
herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  auto& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc) reason = error->desc;
  return 0;
}

/// Shortens a reason to `file write failed: No space left on device`; HDF5 adds times, addresses
/// and sizes.
std::string without_details(const std::string& reason) {
  constexpr std::string_view mark = "error message = '";
  const std::size_t at = reason.find(mark), end = reason.find('\'', at + mark.size());
  if (at == std::string::npos || end == std::string::npos) return reason;
  const std::size_t first = at + mark.size(), what = std::min(reason.find(':'), reason.find(','));
  return reason.substr(0, what) + ": " + reason.substr(first, end - first);
}

}  // namespace

std::string qualified_name(const std::string& file, const std::string& dataset) {
  return one_line(fmt::format("{}:{}{}", file, dataset.starts_with('/') ? "" : "/", dataset));
}

std::string crash_words(const std::string& subject, const std::string& how) {
  return fmt::format(
      "{} makes the HDF5 library crash ({}): the file is malformed, or cannot be read: copy it "
      "again "
      "from its source",
      subject, how);
}

std::string hdf5_reason() {
  const int error = hdf5_system_error();
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  if (lacks_cause(reason) && error != 0) return reason + ": " + std::strerror(error);
  return reason.empty() ? "HDF5 gives no reason" : one_line(without_details(reason));
}

bool storage_failed() {
  return hdf5_system_error() != 0;
}

void throw_lookup(hid_t object, const std::string& what) {
  const std::string reason = hdf5_reason();  // before the calls below, which reset the error stack
  const std::string file = object_file(object), name = object_name(object);
  throw StorageError(fmt::format("{}: {}: {}", qualified_name(file, name), what, reason));
}

bool succeeded(herr_t result, hid_t object, const std::string& what) {
  if (result < 0 && storage_failed()) throw_lookup(object, what);
  return result >= 0;
}

std::string object_file(hid_t object) {
  const ssize_t length = H5Fget_name(object, nullptr, 0);
  if (length <= 0) return "";
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  H5Fget_name(object, name.data(), name.size());
  return one_line(name.c_str());
}

std::string object_name(hid_t object) {
  const ssize_t length = H5Iget_name(object, nullptr, 0);
  if (length <= 0) return "";
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  H5Iget_name(object, name.data(), name.size());
  // the name is not shortened, because it is also used to identify objects
  return one_line(name.c_str(), std::string::npos);
}

bool has_attribute(hid_t object, const std::string& name) {
  const htri_t found = H5Aexists(object, name.c_str());
  if (found < 0)
    throw_lookup(object, fmt::format("cannot look up the attribute {}", one_line(name)));
  return found > 0;
}

bool has_link(hid_t group, const std::string& name) {
  const htri_t found = H5Lexists(group, name.c_str(), H5P_DEFAULT);
  if (found < 0) throw_lookup(group, fmt::format("cannot look up {}", one_line(name)));
  return found > 0;
}

void throw_hdf5(const std::string& what) {
  throw StorageError(fmt::format("{}: {}", what, hdf5_reason()));
}

}  // namespace stencil::storage
