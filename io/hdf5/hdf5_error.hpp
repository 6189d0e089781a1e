#pragma once

#include <string>
#include <type_traits>

#include "framework/grid/one_line.hpp"
#include "io/hdf5/handle.hpp"

namespace stencil::storage {

/// Name of a dataset in messages: `file.h5:/group/dataset`.
std::string qualified_name(const std::string& file, const std::string& dataset);

/// Returns the message for a crash inside the HDF5 library.
///
/// @param subject  the dataset that was read, formatted by qualified_name()
/// @param how      cause of the crash, for example the name of the signal
std::string crash_words(const std::string& subject, const std::string& how);

/// Returns the innermost reason that HDF5 gives for the last failed call, on one line.
std::string hdf5_reason();

/// Throws a StorageError with the message `what: reason of HDF5`.
[[noreturn]] void throw_hdf5(const std::string& what);

/// Returns whether the last failed call failed because the file could not be read, not because of
/// its content.
bool storage_failed();

/// Reports a failed look-up. A failed look-up does not mean that the object is absent.
///
/// @param object  any object of the file that was searched
/// @throws StorageError  with the message `file:object: what: reason of HDF5`
[[noreturn]] void throw_lookup(hid_t object, const std::string& what);

/// Returns whether a call succeeded. If the result is false, the data that the call read are
/// damaged.
/// @throws StorageError  the call failed because the file could not be read
bool succeeded(herr_t result, hid_t object, const std::string& what);

/// Name of the file of an open object.
std::string object_file(hid_t object);

/// Path of an open object in its file.
std::string object_name(hid_t object);

/// Returns whether the object has an attribute, or the group has a link, of that name.
/// @throws StorageError  the look-up failed
bool has_attribute(hid_t object, const std::string& name);
bool has_link(hid_t group, const std::string& name);

/// Returns the result of an HDF5 call unchanged. @throws StorageError the result is negative
template <class Result>
Result checked(Result result, const std::string& what) {
  if constexpr (std::is_signed_v<Result>)
    if (result < 0) throw_hdf5(what);
  return result;
}

/// Returns an owner of the identifier that an HDF5 call returned. @throws StorageError the
/// identifier is negative
inline Handle owned(hid_t id, Handle::Close close, const std::string& what) {
  return {checked(id, what), close};
}

}  // namespace stencil::storage
