#pragma once

#include <string>
#include <vector>

#include "drivers/config/kinds.hpp"

namespace stencil {

/// One argument `--section.key=value` as written; the key need not exist.
struct Override {
  std::string name, value;
};

/// The command line after the program's name, split into its parts.
struct CommandLine {
  bool help = false;
  bool version = false;
  bool check = false;
  bool json = false;  ///< the plan as JSON; only with `check`
  std::string list;   ///< the file whose datasets are listed
  std::string init;   ///< the filter that a configuration is written for; `file` is the data
  std::string report;
  std::string trace;
  ProgressStyle progress = ProgressStyle::automatic;
  std::string file;  ///< empty if none is named
  std::vector<Override> overrides;
};

/// Splits the command line with Boost.Program_options, without abbreviated names. Both
/// `--key value` and `--key=value` are accepted. A value may begin with one minus sign
/// (`--input.axis -1`); a value that begins with two needs the form with `=`.
///
/// @throws WordsError  an unknown option, one without its value, one given twice, a second file, an
///                     invalid value of --progress, --report together with --check, --json without
///                     it, --list or --init together with what does not belong to them.
CommandLine read_command_line(const std::vector<std::string>& arguments);

}  // namespace stencil
