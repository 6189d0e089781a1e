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

/// Reads the keys of one section as typed values: the given value, or else the default of the key
/// table, checked against the range or the list of keywords of the table.
///
/// @throws WordsError (all readers)  a value that cannot be read, with its location; a key that has
///                                   no default and is not given.
class SectionReader {
 public:
  /// @param words    outlives the reader
  /// @param section  `input` ... or `stencil.NAME`
  /// @param place    beginning of messages about an absent key, `config.ini:10: [stencil.smooth]`
  SectionReader(const Words& words, std::string section, std::string place);

  const std::string& section() const { return section_; }
  bool given(std::string_view key) const { return find(key) != nullptr; }

  std::string text(std::string_view key) const;
  /// The key's word, as written.
  std::string choice(std::string_view key) const;
  /// The value that the key's word stands for.
  template <class T>
  T meaning(std::string_view key) const {
    return read(key, [](const std::string& word, const Key&) { return meaning_of<T>(word); });
  }
  double real(std::string_view key) const;
  Index integer(std::string_view key) const;
  bool flag(std::string_view key) const;
  std::vector<double> reals(std::string_view key, std::size_t most) const;
  std::vector<Index> integers(std::string_view key, std::size_t most) const;
  /// Extents such as `256x1024`; empty for the default, which is a word.
  std::vector<Index> extents(std::string_view key, std::size_t most) const;
  /// An integer; nothing if the key is not given.
  std::optional<int> optional_int(std::string_view key) const;

  /// Parses the text of a key with any function that throws BadValue, and adds its location to the
  /// error.
  template <class Convert>
  auto read(std::string_view key, Convert convert) const {
    const std::string word = text(key);
    try {
      return convert(word, row(key));
    } catch (const BadValue& bad) {
      refuse(key, bad.what());
    }
  }

  /// Refuses the value of a key. For an absent key the message gives the location of its section.
  [[noreturn]] void refuse(std::string_view key, std::string_view why) const;

 private:
  /// Null if neither file nor command line gives the key.
  const Word* find(std::string_view key) const;
  const Key& row(std::string_view key) const;

  const Words& words_;
  std::string section_;
  std::string place_;
};

}  // namespace stencil
