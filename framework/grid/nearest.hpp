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
/// with at most one edit per three letters. If no known word is so near, returns a known word that
/// begins with `word` (`gauss`) or with which `word` begins (`sobel_x`). If there is no such word
/// either, returns an empty text.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns `did you mean sigma?` if a known word is near, else `write one of a, b, c`.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace stencil
