#pragma once

#include <string>

namespace stencil {

/// Writes a text to stdout and flushes it, so an error such as a full device is detected here. A
/// reader that closes the pipe early (`| head`) is not an error.
/// @throws StorageError  the text cannot be written
void print_out(const std::string& text);

}  // namespace stencil
