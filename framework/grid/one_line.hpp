#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace stencil {

/// Makes any bytes a printable part of one line of UTF-8, for messages. Control characters,
/// invisible and direction-changing characters and bytes that are not UTF-8 are written as `\n`,
/// `\x1b` or `\u{202e}`. If the text is longer than paths usually are, its middle is replaced by
/// `...`.
///
/// @param limit  most characters of the result, at least 8; an escape has as many characters as
///               its written form, and is never cut in two
std::string one_line(std::string_view text, std::size_t limit = 200);

/// one_line() of at most 60 characters: words and values that a message quotes.
std::string shortened(std::string_view text, std::size_t limit = 60);

/// Whether a text is UTF-8 from end to end.
bool is_utf8(std::string_view text);

}  // namespace stencil
