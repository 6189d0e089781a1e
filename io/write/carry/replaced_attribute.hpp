#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace stencil::storage {

/// Replaces the numbers of an attribute without changing its type: integers become floating-point
/// numbers only if a number is not an integer, and a text stays a text (also if each character is a
/// separate value).
///
/// @param values  as many as the attribute states, see stated_numbers()
/// @throws StorageError  it cannot be written
void replace_numbers(hid_t object, const std::string& name, const std::vector<double>& values);

/// Gives an attribute that holds one text another one: of one length or of any, as it was.
void replace_text(hid_t object, const std::string& name, const std::string& text);

}  // namespace stencil::storage
