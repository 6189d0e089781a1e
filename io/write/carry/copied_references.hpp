#pragma once

#include <hdf5.h>

#include <cstddef>
#include <map>
#include <string>

namespace stencil::storage {

/// Paths in the output of the objects that came from the input, by the address of the input's.
using CopiedPaths = std::map<haddr_t, std::string>;

/// Whether references to objects, and no other ones, are in values of a type.
bool has_object_references(hid_t type);

/// Changes references to objects of the input into references to their copies in the output; those
/// to objects without a copy become null.
///
/// @param input   any object of the input
/// @param output  any object of the output
/// @param type    of the values, a native or stored one without conversion between them
void point_to_copies(hid_t input, hid_t output, const CopiedPaths& copies, hid_t type,
                     std::byte* values, std::size_t count);

}  // namespace stencil::storage
