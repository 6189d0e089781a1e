#pragma once

#include <hdf5.h>

#include <string>

#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/followed_axes.hpp"

namespace stencil::storage {

/// Copies a dataset without attributes. It is copied unchanged if none of its axes has changed;
/// otherwise the values at the points of the output are copied, in chunks packed as those of the
/// input. References are left to fill_references().
///
/// @param path      in the output; its group exists
/// @param is_trial  leaves out most of the points, and data of more than 1 MiB
/// @param copies    of stored types
/// @returns why it is not copied; empty if it is
/// @throws StorageError
std::string copy_points(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                        bool is_trial, const CopiedPaths& copies);

/// Writes the values of a copied dataset if they hold references, when all objects to which these
/// refer exist.
///
/// @param change  converts them to references of the output
/// @throws Unreadable, StorageError
void fill_references(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                     bool is_trial, const ChangeValues& change);

}  // namespace stencil::storage
