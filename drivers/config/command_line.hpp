#pragma once

#include <string>
#include <vector>

#include "drivers/config/kinds.hpp"

namespace stencil {

/// One `--section.key=value`, as it stands; the name need not be a key that exists.
struct Override {
  std::string name, value;
};

/// The command line after the program's name, split into its words.
struct CommandLine {
  bool help = false;
  bool version = false;
  bool check = false;
  std::string report;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string file;  ///< empty where none is named
  std::vector<Override> overrides;
};

/// Splits the command line with Boost.Program_options, abbreviations off. Both `--key value` and
/// `--key=value` work; a value may begin with one minus (`--input.axis -1`), one that begins with
/// two needs the `=`.
///
/// @throws WordsError  an unknown option, one without its value, one given twice, a second file, a
///                     word for --progress that does not exist, --report beside --check.
CommandLine read_command_line(const std::vector<std::string>& arguments);

}  // namespace stencil
