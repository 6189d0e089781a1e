#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stencil {

/// Largest size of a configuration file in bytes. A file with a mask of a million taps is smaller.
inline constexpr std::size_t largest_ini_text = std::size_t{16} << 20;

/// One `key = value` line without quotes and comments. Key and value are not checked yet.
struct IniEntry {
  std::string section, key, value;
  int line = 0;
};

struct IniSection {
  std::string name;
  int line = 0;
};

/// Sections and entries in file order; no section and no key of a section appears twice.
struct IniText {
  std::vector<IniSection> sections;
  std::vector<IniEntry> entries;
};

/// Splits the text of a configuration file into sections and entries.
///
/// A line is empty, a comment (its first character is `#` or `;`), `[section]` or `key = value`.
/// `#` after white space also begins a comment. `;` after white space does not, because `;`
/// separates the rows of a mask. Quotes `"` or `'` around a whole value are removed; a `#` and
/// outer blanks within the quotes are kept. CRLF and a UTF-8 byte order mark are accepted.
///
/// @param file  file name for messages
/// @throws WordsError  with a message that gives file and line: text that is not UTF-8, a file that
///                     is too large, an unclosed section or quote, a line of any other form, an
///                     empty value, or a section or key that is given twice.
IniText read_ini_text(const std::string& file, std::string_view text);

/// Returns the text without leading and trailing blanks and tabs.
std::string_view trimmed(std::string_view text);

}  // namespace stencil
