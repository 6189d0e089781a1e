#pragma once

#include <hdf5.h>

#include <functional>
#include <string>

#include "io/write/carry/skipped.hpp"

namespace stencil::storage {

/// Asked of each object before it is copied, by its path: `header`, then `header/dt` ...
using TakesObject = std::function<bool(const std::string& path, hid_t object)>;

/// Copies an object of a group, which is a dataset or a group with all its contents, to a group of
/// the output, with its attributes. Links are not followed. The function is meant for headers, not
/// for data: datasets of more than 16 MiB are skipped, and at most 4096 objects of a group are
/// copied.
///
/// @param takes    whether an object is copied; objects that are not copied are not listed either
/// @param skipped  receives the names of objects that cannot be read, or whose type or size is not
///                 copied
/// @throws StorageError
void copy_object(hid_t from, const std::string& name, hid_t to, const TakesObject& takes,
                 Skipped& skipped);

}  // namespace stencil::storage
