#pragma once

#include <optional>
#include <string>

#include "io/hdf5/nanoseconds.hpp"

namespace stencil::storage {

/// Adds some nanoseconds to a date with a time of day, in the same format: with the same separators
/// and offset from UTC, and the same number of fractional digits of a second, or more if needed (up
/// to nine).
///
/// @returns std::nullopt if the text is not such a date, or the year of the result has not four
///          digits
std::optional<std::string> later(const std::string& text, Nanoseconds nanoseconds);

}  // namespace stencil::storage
