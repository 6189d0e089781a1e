#pragma once

#include <string>

#include "io/listing.hpp"

namespace stencil {

/// Returns the text of --list: each dataset with its shape, type, storage, axes, missing values,
/// packing and units; for a dataset that is not supported, the reason.
/// @param file  the name of the file
std::string list_text(const std::string& file, const FileListing& listing);

}  // namespace stencil
