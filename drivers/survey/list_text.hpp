#pragma once

#include <string>

#include "io/listing.hpp"

namespace stencil {

/// The text of --list: each dataset with its shape, type, storage, axes, missing values, packing
/// and units; of one that the program does not read, the reason.
/// @param file  its name
std::string list_text(const std::string& file, const FileListing& listing);

}  // namespace stencil
