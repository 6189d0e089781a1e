#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace stencil::storage {

/// Replaces the numbers of an attribute without changing its type, except that integers become
/// floating-point numbers if a new number is not an integer. A text remains a text, even if each
/// character is a separate value.
///
/// @param values  as many values as the attribute has, see stated_numbers()
/// @throws StorageError the attribute cannot be written
void replace_numbers(hid_t object, const std::string& name, const std::vector<double>& values);

/// Replaces the text of an attribute with a single text; fixed or variable length is kept.
void replace_text(hid_t object, const std::string& name, const std::string& text);

}  // namespace stencil::storage
