#pragma once

#include <hdf5.h>

#include <functional>
#include <string>

#include "io/write/carry/skipped.hpp"

namespace stencil::storage {

/// Returns whether an object is copied. The function is called with the path of the object,
/// `header`, then `header/dt` and so on, and with the object.
using TakesObject = std::function<bool(const std::string& path, hid_t object)>;

/// Copies an object of a group (a dataset, or a group with all its contents) with its attributes to
/// a group of the output. Links are not followed. The function is intended for headers, not for
/// data: datasets of more than 16 MiB are skipped, and at most 4096 objects of a group are copied.
///
/// @param takes    objects for which this function returns false are neither copied nor listed in
///                  `skipped`
/// @param skipped  receives the names of objects that cannot be read, or whose type or size is not
///                  supported
/// @throws StorageError
void copy_object(hid_t from, const std::string& name, hid_t to, const TakesObject& takes,
                 Skipped& skipped);

}  // namespace stencil::storage
