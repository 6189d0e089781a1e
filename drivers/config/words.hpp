#pragma once

#include <string>

#include "drivers/config/command_line.hpp"

namespace stencil {

/// The command line and the content of the configuration file. Rank 0 broadcasts both, so that
/// every rank parses the same text without opening the file.
struct ConfigWords {
  CommandLine line{};
  std::string text{};  ///< content of the file `line.file`
};

/// The action that the command line requests. `guide`: the command line has no arguments.
enum class Request { run, help, version, list, init, guide };

/// Reads the command line and the configuration file that it names.
/// @throws WordsError    no file is named, or an option is unknown (the message names the most
///                       similar option)
/// @throws StorageError  the file is missing or unreadable
Request read_words(int argc, const char* const* argv, ConfigWords& words);

}  // namespace stencil
