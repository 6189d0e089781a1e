#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stencil {

/// Edits that turn one word into the other: letters inserted, dropped, replaced, or neighbours
/// swapped.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word that a misspelt one was most likely meant to be: the nearest word with at most
/// one edit per three letters, or a word that begins with the misspelt one or is its beginning
/// (`gauss`, `sobel_x`). Empty if there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// `did you mean sigma?` where a word is near, else `write one of a, b, c`.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace stencil
