#pragma once

#include "drivers/config/command_line.hpp"
#include "drivers/config/words.hpp"

namespace stencil {

/// Handles requests without a run: --help, --version, --list, --init, and no arguments. Rank 0
/// handles these requests before MPI starts; other ranks do nothing.
///
/// @param request  any request except Request::run
/// @returns the exit status of the program; an error is printed on stderr
int answer(Request request, const CommandLine& line);

}  // namespace stencil
