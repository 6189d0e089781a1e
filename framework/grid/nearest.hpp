#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace stencil {

/// Edit distance of two words: the least number of insertions, deletions, replacements and swaps of
/// neighbouring letters that turn one into the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns the known word that a misspelt word was most likely meant to be: the nearest known word
/// with at most one edit per three letters. If there is none, it is a known word that begins with
/// `word`, or with which `word` begins (`gauss`, `sobel_x`). Empty if there is none.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns `did you mean sigma?` if a known word is near, else `write one of a, b, c`.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace stencil
