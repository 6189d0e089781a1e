#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stencil {

/// Converts any bytes to printable UTF-8 on one line, for messages. Control characters, invisible
/// and direction-changing characters, and bytes that are not UTF-8 are written as escapes such as
/// `\n`, `\x1b` or `\u{202e}`. If the text is longer than `limit`, its middle is replaced by `...`.
///
/// @param limit  greatest number of characters of the result, at least 8; each character of an
///               escape is counted, and no escape is cut in two
std::string one_line(std::string_view text, std::size_t limit = 200);

/// one_line() of at most 60 characters, for names and values that a message quotes.
std::string shortened(std::string_view text, std::size_t limit = 60);

/// Returns whether the whole text is valid UTF-8.
bool is_utf8(std::string_view text);

}  // namespace stencil
