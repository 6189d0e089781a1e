#pragma once

#include <string>

#include "drivers/config/config.hpp"
#include "drivers/config/words.hpp"

namespace stencil {

/// Writes a text to stdout and flushes it at once, so that an error such as a full device is
/// detected. A reader that closes the pipe early (`| head`) is no error.
/// @throws StorageError  the text cannot be written
void print_out(const std::string& text);

/// Prints the text of --help or --version: rank 0 does so, before MPI starts.
/// @returns the exit status of the program; an error is printed on stderr
int print_facts(Request request);

}  // namespace stencil
