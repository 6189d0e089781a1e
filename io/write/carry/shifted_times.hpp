#pragma once

#include <optional>
#include <string>

#include "io/hdf5/nanoseconds.hpp"

namespace stencil::storage {

/// Adds a number of nanoseconds to a date with a time of day. The result has the format of the
/// text: the same separators, the same offset from UTC, and at least as many fractional digits of a
/// second (up to nine if needed).
///
/// @returns std::nullopt if the text is not such a date, or the year of the result does not have
///          four digits
std::optional<std::string> later(const std::string& text, Nanoseconds nanoseconds);

}  // namespace stencil::storage
