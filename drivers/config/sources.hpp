#pragma once

#include <string>
#include <vector>

#include "drivers/config/command_line.hpp"
#include "drivers/config/ini_text.hpp"
#include "drivers/config/word_store.hpp"

namespace stencil {

/// A section that counts, and what messages about it begin with.
struct SectionPlace {
  std::string name;   ///< `input`, `stencil`, `stencil.smooth` ...
  std::string place;  ///< `config.ini:3: [input]`
};

/// File and command line, every section and key known by name, ready to be laid over each other.
struct Sources {
  std::vector<SectionPlace> sections;  ///< input, output, missing and run, absent ones too
  std::vector<SectionPlace> stages;    ///< in file order, at least one
  std::vector<NamedWord> command_line;
  std::vector<NamedWord> file;
};

/// @throws WordsError  an unknown section or key with the nearest known one, [stencil] beside
///                     [stencil.NAME], no stage at all, a stage that only the command line names.
Sources find_sources(const std::string& file, const IniText& ini, const CommandLine& line);

}  // namespace stencil
