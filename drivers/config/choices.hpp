#pragma once

#include <array>
#include <span>
#include <string_view>

#include "drivers/config/values.hpp"

namespace stencil {

/// A keyword that is accepted as the value of a key, and the value that the keyword denotes.
/// Synonyms are accepted in configurations, but the program never writes them.
template <class T>
struct Choice {
  std::string_view word;
  T value;
  bool is_synonym = false;
};

/// All keywords for the values of type T, in the order in which messages list them. Each type has a
/// specialization.
template <class T>
inline constexpr std::array<Choice<T>, 0> choices_of{};

/// The texts of all keywords for the values of type T.
template <class T>
inline constexpr auto words_of = [] {
  std::array<std::string_view, choices_of<T>.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = choices_of<T>[i].word;
  return words;
}();

/// Returns the index of `text` in `words`. @throws BadValue  `text` is not one of `words` (the
/// message names the most similar keyword)
std::size_t place_among(std::span<const std::string_view> words, std::string_view text);

/// Returns the value that a keyword denotes. @throws BadValue  there is no such keyword
template <class T>
T meaning_of(std::string_view word) {
  return choices_of<T>[place_among(words_of<T>, word)].value;
}

/// Returns the keyword for a value.
template <class T>
constexpr std::string_view word_of(const T& value) {
  for (const Choice<T>& choice : choices_of<T>)
    if (choice.value == value && !choice.is_synonym) return choice.word;
  return {};
}

}  // namespace stencil
