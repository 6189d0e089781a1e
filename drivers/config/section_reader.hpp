#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/choices.hpp"
#include "drivers/config/keys.hpp"
#include "drivers/config/sources.hpp"
#include "drivers/config/values.hpp"

namespace stencil {

/// Reads the keys of one section as typed values. If a key is not given, its value is the default
/// in the key table. Values are checked against the range or the keywords of the table.
///
/// @throws WordsError (all readers)  the value cannot be read (the message gives its location), or
///                                   the key is not given and has no default.
class SectionReader {
 public:
  /// @param words    must outlive the reader
  /// @param section  `input`, `output` ... or `stencil.NAME`
  /// @param place    the text with which messages about absent keys begin, such as
  ///                 `config.ini:10: [stencil.smooth]`
  SectionReader(const Words& words, std::string section, std::string place);

  const std::string& section() const { return section_; }
  bool given(std::string_view key) const { return find(key) != nullptr; }

  std::string text(std::string_view key) const;
  /// Returns the keyword of a key, as written.
  std::string choice(std::string_view key) const;
  /// Returns the value that the key's keyword denotes.
  template <class T>
  T meaning(std::string_view key) const {
    return read(key, [](const std::string& word, const Key&) { return meaning_of<T>(word); });
  }
  double real(std::string_view key) const;
  Index integer(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::vector<double> reals(std::string_view key, std::size_t most) const;
  std::vector<Index> integers(std::string_view key, std::size_t most) const;
  /// Reads extents such as `256x1024`. Returns an empty list for the default, which is a keyword.
  std::vector<Index> extents(std::string_view key, std::size_t most) const;
  /// Reads an integer; returns std::nullopt if the key is not given.
  std::optional<int> optional_int(std::string_view key) const;

  /// Parses the text of a key with a function that may throw BadValue, and adds the location of the
  /// value to the error.
  template <class Convert>
  auto read(std::string_view key, Convert convert) const {
    const std::string word = text(key);
    try {
      return convert(word, row(key));
    } catch (const BadValue& bad) {
      refuse(key, bad.what());
    }
  }

  /// Throws a WordsError about a key's value. For an absent key the message gives its section's
  /// location.
  [[noreturn]] void refuse(std::string_view key, std::string_view why) const;

 private:
  /// Returns null if neither the file nor the command line gives the key.
  const Word* find(std::string_view key) const;
  const Key& row(std::string_view key) const;

  const Words& words_;
  std::string section_;
  std::string place_;
};

}  // namespace stencil
