#pragma once

#include <hdf5.h>

#include <string>

#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/followed_axes.hpp"

namespace stencil::storage {

/// Copies a dataset without attributes: as it is where it follows no axis that has changed, else
/// the values at the points of the output, in chunks packed as the input's.
/// References are left to fill_references().
///
/// @param path      in the output; its group is there
/// @param is_trial  leaves out most of the points, and data of more than 1 MiB
/// @param copies    of stored types
/// @returns why it is not copied; empty if it is
/// @throws StorageError
std::string copy_points(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                        bool is_trial, const CopiedPaths& copies);

/// Writes the values of a copied dataset if they hold references, once all objects are there that
/// these lead to.
///
/// @param change  makes references of the output of them
/// @throws Unreadable, StorageError
void fill_references(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                     bool is_trial, const ChangeValues& change);

}  // namespace stencil::storage
