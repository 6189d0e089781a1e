#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/values.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {

/// One key of the configuration, as needed for reading, checking and the help text.
struct Key {
  std::string_view section;  ///< `stencil` stands for every stage
  std::string_view name;
  std::string_view values;         ///< as the help shows them; empty = from `choices` or `range`
  std::string_view standard = {};  ///< default, as it would be written; empty = none
  std::string_view doc = {};
  std::span<const std::string_view> choices = {};  ///< words that it accepts; empty = not a word
  std::string_view instead = {};                   ///< key not implemented yet: what to do instead
  Range range = {};                                ///< of numbers, or of each number of a list
  bool required = false;                           ///< in every configuration
};

/// The section of the key table for a section of a file: `stencil` for `stencil.smooth`.
std::string table_section(std::string_view section);

/// Splits the word lists of the key table at blanks.
std::vector<std::string> split_words(std::string_view words);

/// All keys, grouped by section, in the order of the help and of the canonical text.
std::span<const Key> all_keys();

/// The sections, `input` to `run`.
std::vector<std::string> section_names();
std::vector<std::string> key_names(std::string_view section);
std::vector<std::string> family_names();

/// Null if there is no such key.
const Key* find_key(std::string_view section, std::string_view name);

/// The mask families that a key belongs to; all of them for `rank`. Empty for keys that apply to
/// every mask.
std::vector<std::string> families_of(const Key& key);

/// Whether a key applies to a mask; `family` is null for masks given as taps or from a file.
bool means_something(const Key& key, const Family* family);

/// Message text for an unknown key: the most similar key of its section, or the section that it
/// belongs to.
std::string unknown_key(std::string_view section, std::string_view name);

}  // namespace stencil
