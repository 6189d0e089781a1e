#pragma once

#include <string>
#include <string_view>

#include "io/read/select.hpp"

namespace stencil {

/// The value of input.select: one item per axis, separated by commas, each a slice as in NumPy, or
/// a range of coordinates:
///
///     6000:12000:2, latitude 40 .. 50
///
/// Nothing for `all`. @throws BadValue  any other text
Selection read_selection(std::string_view text);

/// The text of a selection; read_selection() reads it back.
std::string text_of(const Selection& selection);

}  // namespace stencil
