#pragma once

#include <hdf5.h>

#include <functional>
#include <string>

#include "io/write/carry/skipped.hpp"

namespace stencil::storage {

/// Asked of each object before it is copied, by its path: `header`, then `header/dt` ...
using TakesObject = std::function<bool(const std::string& path, hid_t object)>;

/// Copies an object of a group, which is a dataset or a group with all its contents, to a group of
/// the output, with its attributes. Links are not followed. It is for headers, not for data: of a
/// dataset at most 16 MiB are copied, of a group at most 4096 objects.
///
/// @param takes    whether an object is copied; objects that are not copied are not listed either
/// @param skipped  takes what cannot be read, or is of a type or size that is not copied
/// @throws StorageError
void copy_object(hid_t from, const std::string& name, hid_t to, const TakesObject& takes,
                 Skipped& skipped);

}  // namespace stencil::storage
