#pragma once

#include <string>
#include <string_view>

#include "io/read/select.hpp"

namespace stencil {

/// Parses the value of input.select: one item per axis, separated by commas. An item is a slice as
/// in NumPy, or a range of coordinates:
///
///     6000:12000:2, latitude 40 .. 50
///
/// Returns an empty selection for `all`. @throws BadValue  the text has any other form
Selection read_selection(std::string_view text);

/// Returns the text of a selection, which read_selection() can parse.
std::string text_of(const Selection& selection);

}  // namespace stencil
