#pragma once

#include <string>
#include <type_traits>

#include "framework/grid/one_line.hpp"
#include "io/handle.hpp"

namespace stencil::storage {

/// `file.h5:/group/dataset`, as every message names a dataset.
std::string place(const std::string& file, const std::string& dataset);

/// HDF5's own innermost reason for the last failed call, on one line.
std::string hdf5_reason();

/// @throws StorageError  `what: HDF5's reason`
[[noreturn]] void throw_hdf5(const std::string& what);

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
