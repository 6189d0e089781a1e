#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/command_line.hpp"
#include "drivers/config/ini_text.hpp"

namespace stencil {

/// A value as written, and where: `config.ini:12: [stencil] sigma = 2` or
/// `command line: --stencil.sigma=2`, the beginning of every message about it.
struct Word {
  std::string text;
  std::string where;
};

/// The words of a configuration under their full names, such as `stencil.smooth.sigma`.
using Words = std::map<std::string, Word>;

/// A section that counts, and what messages about it begin with.
struct SectionPlace {
  std::string name;   ///< `input`, `stencil`, `stencil.smooth` ...
  std::string place;  ///< `config.ini:3: [input]`
};

/// The command line laid over the file, every section and key known by name.
struct Sources {
  std::vector<SectionPlace> sections;  ///< input, output, missing and run, absent ones too
  std::vector<SectionPlace> stages;    ///< in file order, at least one
  Words words;
};

/// @throws WordsError  an unknown section or key with the nearest known one, [stencil] beside
///                     [stencil.NAME], no stage at all, a stage that only the command line names.
Sources find_sources(const IniText& ini, const CommandLine& line);

}  // namespace stencil
