#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/values.hpp"
#include "kernels/families/family_table.hpp"

namespace stencil {

/// One key of the configuration, with the properties that reading, checking and the help text use.
struct Key {
  std::string_view section;  ///< `stencil` applies to every stage
  std::string_view name;
  std::string_view values;  ///< values in the help; if empty, derived from `choices` or `range`
  std::string_view standard = {};  ///< default, as a user would write it; empty if there is none
  std::string_view doc = {};
  std::span<const std::string_view> choices =
      {};                         ///< accepted keywords; if empty, values are not keywords
  std::string_view instead = {};  ///< advice for users of a key that is not implemented
  Range range = {};               ///< range of the number, or of each number of a list
  bool required = false;          ///< must be in every configuration
};

/// Returns the section of the key table for a section of a file: `stencil` for `stencil.smooth`.
std::string table_section(std::string_view section);

/// Splits a list of the key table at blanks.
std::vector<std::string> split_words(std::string_view words);

/// Returns all keys, grouped by section, in the order of the help and of the canonical text.
std::span<const Key> all_keys();

/// Returns the names of the sections of the key table, from `input` to `run`.
std::vector<std::string> section_names();
std::vector<std::string> key_names(std::string_view section);
std::vector<std::string> family_names();

/// Returns the key with this section and name, or null if there is none.
const Key* find_key(std::string_view section, std::string_view name);

/// Returns the mask families that use a key; for `rank`, all families. The list is empty for keys
/// that apply to every mask.
std::vector<std::string> families_of(const Key& key);

/// Returns whether a key applies to a mask. `family` is null for masks given as taps or in a file.
bool means_something(const Key& key, const Family* family);

/// Returns the message for an unknown key. The message names the most similar key of the section,
/// or the section that has a key of this name.
std::string unknown_key(std::string_view section, std::string_view name);

}  // namespace stencil
