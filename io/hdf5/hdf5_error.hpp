#pragma once

#include <string>
#include <type_traits>

#include "framework/grid/one_line.hpp"
#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// `file.h5:/group/dataset`, as every message names a dataset.
std::string place(const std::string& file, const std::string& dataset);

/// What to say where reading `subject`, a place(), made the HDF5 library crash.
/// @param how  the signal, say
std::string crash_words(const std::string& subject, const std::string& how);

/// HDF5's own innermost reason for the last failed call, on one line.
std::string hdf5_reason();

/// @throws StorageError  `what: HDF5's reason`
[[noreturn]] void throw_hdf5(const std::string& what);

/// Whether the last failed call failed because the file could not be read, and not for what it
/// holds.
bool storage_failed();

/// Ends a failed look-up: that something cannot be looked up does not mean that there is none.
///
/// @param object  in whose file it was looked for
/// @throws StorageError  `file:object: what: HDF5's reason`
[[noreturn]] void throw_lookup(hid_t object, const std::string& what);

/// Whether a call succeeded, where a failure may mean that what it read is damaged.
/// @throws StorageError  it failed because the file could not be read
bool succeeded(herr_t result, hid_t object, const std::string& what);

/// Name of the file of an open object.
std::string object_file(hid_t object);

/// Path of an open object in its file.
std::string object_name(hid_t object);

/// Whether the object has an attribute, and the group a link, of that name.
/// @throws StorageError  the look-up failed
bool has_attribute(hid_t object, const std::string& name);
bool has_link(hid_t group, const std::string& name);

/// Passes the result of an HDF5 call on. @throws StorageError if it is negative
template <class Result>
Result checked(Result result, const std::string& what) {
  if constexpr (std::is_signed_v<Result>)
    if (result < 0) throw_hdf5(what);
  return result;
}

/// Owns the identifier that an HDF5 call returned. @throws StorageError if it is negative
inline Handle owned(hid_t id, Handle::Close close, const std::string& what) {
  return {checked(id, what), close};
}

}  // namespace stencil::storage
