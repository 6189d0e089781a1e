#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stencil {

/// Largest configuration file, in bytes: a mask of a million taps fits, a data file does not.
inline constexpr std::size_t largest_ini_text = std::size_t{16} << 20;

/// One `key = value` line without quotes and comments; key and value are not checked yet.
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
/// A line is empty, a comment (`#` or `;` first), `[section]` or `key = value`. `#` after white
/// space also begins a comment; `;` does not, since it separates the rows of a mask. Quotes `"` or
/// `'` around a whole value are removed and keep `#` and outer blanks. CRLF and a UTF-8 byte order
/// mark are accepted.
///
/// @param file  name for messages
/// @throws WordsError  with file and line: not UTF-8 text, too large, unclosed section or quote, a
///                     line of another form, an empty value, a section or key given twice.
IniText read_ini_text(const std::string& file, std::string_view text);

/// Text without the blanks and tabs around it.
std::string_view trimmed(std::string_view text);

}  // namespace stencil
