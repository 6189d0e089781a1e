#pragma once

#include "drivers/config/command_line.hpp"
#include "drivers/config/words.hpp"

namespace stencil {

/// Answers what needs no run: --help, --version, --list, --init, and no arguments at all. Rank 0
/// does so, before MPI starts; other ranks do nothing.
///
/// @param request  any but Request::run
/// @returns the exit status of the program; an error is printed on stderr
int answer(Request request, const CommandLine& line);

}  // namespace stencil
