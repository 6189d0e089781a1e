#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/config/command_line.hpp"
#include "drivers/config/ini_text.hpp"

namespace stencil {

/// A value as written, and its location: `config.ini:12: [stencil] sigma = 2` or `command line:
/// --stencil.sigma=2`. Messages about the value begin with the location.
struct Word {
  std::string text;
  std::string where;
};

/// Maps full names of keys, such as `stencil.smooth.sigma`, to their values.
using Words = std::map<std::string, Word>;

/// A section in use, and its location, with which messages about the section begin.
struct SectionPlace {
  std::string name;   ///< `input`, `stencil`, `stencil.smooth` ...
  std::string place;  ///< `config.ini:3: [input]`
};

/// The values of the file, overridden by those of the command line. All names of sections and keys
/// are valid.
struct Sources {
  std::vector<SectionPlace> sections;  ///< input, output, missing and run, including absent ones
  std::vector<SectionPlace> stages;    ///< in file order, at least one
  Words words;
};

/// Merges the file and the command line.
/// @throws WordsError  an unknown section or key (the message names the most similar one),
///                     [stencil] together with [stencil.NAME], no stage, or a stage that only the
///                     command line names.
Sources find_sources(const IniText& ini, const CommandLine& line);

}  // namespace stencil
