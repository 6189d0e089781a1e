#pragma once

#include <string>
#include <vector>

#include "drivers/config/kinds.hpp"

namespace stencil {

/// One argument `--section.key=value` as written. The key may be unknown.
struct Override {
  std::string name, value;
};

/// The parts of the command line, without the program's name.
struct CommandLine {
  bool help = false;
  bool version = false;
  bool check = false;
  bool json = false;  ///< print the plan as JSON; allowed only together with `check`
  std::string list;   ///< file whose datasets are listed (--list)
  std::string init;   ///< the filter that --init configures; `file` is then the data file
  std::string report;
  std::string trace;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string file;  ///< the configuration, or the data file for --init; empty if no file is named
  std::vector<Override> overrides;
};

/// Splits the command line with Boost.Program_options, without abbreviated names. Both `--key
/// value` and `--key=value` are accepted. A value may begin with one minus sign (`--input.axis
/// -1`); a value that begins with two minus signs needs the form with `=`.
///
/// @throws WordsError  an unknown option, an option without its value, an option given twice, a
///                     second file, an invalid value of --progress, --report together with --check,
///                     --json without --check, or --list or --init together with arguments that
///                     would have no effect.
CommandLine read_command_line(const std::vector<std::string>& arguments);

}  // namespace stencil
