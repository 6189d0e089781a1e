#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace stencil::storage {

/// Gives an attribute other numbers, in its own type: integers become floating-point numbers only
/// where a number is no integer, and a text stays a text (also where each character is a value by
/// itself).
///
/// @param values  as many as the attribute states, see stated_numbers()
/// @throws StorageError  it cannot be written
void replace_numbers(hid_t object, const std::string& name, const std::vector<double>& values);

/// Gives an attribute that holds one text another one: of one length or of any, as it was.
void replace_text(hid_t object, const std::string& name, const std::string& text);

}  // namespace stencil::storage
