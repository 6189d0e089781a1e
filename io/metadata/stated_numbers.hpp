#pragma once

#include <hdf5.h>

#include <optional>
#include <string>
#include <vector>

namespace stencil::storage {

/// Returns the numbers in an attribute: its values if they are numbers; otherwise the number in its
/// text (`500`), even if each character is a separate value, as written by Imaris. The result is
/// empty if the attribute does not exist or contains neither numbers nor such a text.
std::vector<double> stated_numbers(hid_t object, const std::string& name);

/// Parses a text that contains only a number, without a unit; blanks around it are ignored.
std::optional<double> number_in(const std::string& text);

/// Returns the text of an attribute. If each value is one character, the values are joined.
std::string stated_text(hid_t object, const std::string& name);

}  // namespace stencil::storage
