#pragma once

#include <optional>
#include <string>

#include "io/hdf5/nanoseconds.hpp"

namespace stencil::storage {

/// A date with a time of day some ns later, in the same format: the same separators and offset from
/// UTC, and the same number of digits of a second, or more if needed (up to nine).
///
/// @returns nothing if the text is not such a date, or the result has no year of four digits
std::optional<std::string> later(const std::string& text, Nanoseconds nanoseconds);

}  // namespace stencil::storage
