#pragma once

#include <array>
#include <span>
#include <string_view>

#include "drivers/config/values.hpp"

namespace stencil {

/// A word that is accepted as the value of a key, and its meaning. Synonyms are read but never
/// written.
template <class T>
struct Choice {
  std::string_view word;
  T value;
  bool is_synonym = false;
};

/// All words for the values of a type, in the order in which messages list them; each type has a
/// specialization.
template <class T>
inline constexpr std::array<Choice<T>, 0> choices_of{};

/// The keywords without their meanings.
template <class T>
inline constexpr auto words_of = [] {
  std::array<std::string_view, choices_of<T>.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = choices_of<T>[i].word;
  return words;
}();

/// The index of a text among the keywords. @throws BadValue  it is not one of them (the message
/// names the most similar one)
std::size_t place_among(std::span<const std::string_view> words, std::string_view text);

/// The value that a word stands for. @throws BadValue  no such word
template <class T>
T meaning_of(std::string_view word) {
  return choices_of<T>[place_among(words_of<T>, word)].value;
}

/// The word for a value.
template <class T>
constexpr std::string_view word_of(const T& value) {
  for (const Choice<T>& choice : choices_of<T>)
    if (choice.value == value && !choice.is_synonym) return choice.word;
  return {};
}

}  // namespace stencil
