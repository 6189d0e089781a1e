#pragma once

#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

namespace stencil {

/// A value as written, and where: `config.ini:12: [stencil] sigma = 2` or
/// `command line: --stencil.sigma=2`, the beginning of every message about it.
struct Word {
  std::string text;
  std::string where;
};

/// Words of one source under their full names, such as `stencil.smooth.sigma`.
struct NamedWord {
  std::string name;
  Word word;
};

/// All words of a configuration under their full names, the command line laid over the file.
class WordStore {
 public:
  /// @param sections      `input`, `stencil.smooth` ...: every section whose keys may be given
  /// @param command_line  wins over the file, because it is stored first
  /// @pre every name is a key of one of the sections, and stands at most once in each source
  WordStore(const std::vector<std::string>& sections, const std::vector<NamedWord>& command_line,
            const std::vector<NamedWord>& file);

  /// Null where neither source gives the key.
  const Word* find(const std::string& section, std::string_view key) const;

 private:
  boost::program_options::variables_map words_;
};

/// The section of the key table that a section of a file is of: `stencil` for `stencil.smooth`.
std::string table_section(const std::string& section);

}  // namespace stencil
