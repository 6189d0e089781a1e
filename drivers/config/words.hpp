#pragma once

#include <string>

#include "drivers/config/command_line.hpp"

namespace stencil {

/// Command line and file as they were read. Rank 0 broadcasts them, so that every rank parses the
/// same text without opening the file.
struct ConfigWords {
  CommandLine line{};
  std::string text{};  ///< content of the file that `line` names
};

/// The action that the command line requests.
/// `guide`: nothing was written after the program's name.
enum class Request { run, help, version, list, init, guide };

/// Reads the command line and the file it names.
/// @throws WordsError    no file is named, or an option is unknown (the message names the nearest
///                       valid one)
/// @throws StorageError  the file is missing or unreadable
Request read_words(int argc, const char* const* argv, ConfigWords& words);

}  // namespace stencil
