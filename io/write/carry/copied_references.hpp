#pragma once

#include <hdf5.h>

#include <cstddef>
#include <map>
#include <string>

namespace stencil::storage {

/// Paths, in the output, of the objects that were copied. The key is the address of the object in
/// the input.
using CopiedPaths = std::map<haddr_t, std::string>;

/// Returns whether values of a type contain references to objects, and no other references.
bool has_object_references(hid_t type);

/// Converts references to objects of the input to references to their copies in the output;
/// references to objects without a copy become null.
///
/// @param input   any object of the input
/// @param output  any object of the output
/// @param type    type of `values`: a native type, or the type stored in the file
void point_to_copies(hid_t input, hid_t output, const CopiedPaths& copies, hid_t type,
                     std::byte* values, std::size_t count);

}  // namespace stencil::storage
