#pragma once

#include <hdf5.h>

#include <string>

#include "io/write/carry/axis_values.hpp"
#include "io/write/carry/copied_references.hpp"
#include "io/write/carry/followed_axes.hpp"

namespace stencil::storage {

/// Copies a dataset without attributes. If none of its axes has changed, the dataset is copied
/// unchanged; otherwise the values at the points of the output are copied, in chunks that are
/// packed like the chunks of the input. Values with references are written later, see
/// fill_references().
///
/// @param path      path in the output; its group must exist
/// @param is_trial  whether only a few of the points, and no data of more than 1 MiB, are copied
/// @param copies    copies of stored (committed) types
/// @returns the reason if the dataset is not copied; otherwise an empty text
/// @throws StorageError
std::string copy_points(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                        bool is_trial, const CopiedPaths& copies);

/// Writes the values of a copied dataset if they contain references. Call this function after all
/// objects to which the references refer have been created.
///
/// @param change  converts the values to references in the output
/// @throws Unreadable, StorageError
void fill_references(hid_t from, hid_t output, const std::string& path, const Fate& fate,
                     bool is_trial, const ChangeValues& change);

}  // namespace stencil::storage
