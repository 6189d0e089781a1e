#pragma once

#include <functional>

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Runs the program between MPI_Init and MPI_Finalize and converts its exceptions to an exit
/// status.
///
/// @param before  runs before MPI_Init on the process that will be rank 0, or on every process if
///                no launcher has set a rank. An exception from it is kept until all ranks can
///                agree on it
/// @param body    runs on every rank with the communicator of all ranks. An error that every rank
///                throws (Communicator::agree) is printed once, by rank 0; an error that only some
///                ranks throw ends the whole job at once, so that no rank waits forever.
///
/// SIGTERM, SIGINT, SIGHUP, SIGUSR1 and SIGUSR2 end the job cleanly, see end_on_signal().
///
/// @returns the exit status, the same on every rank
int run_guarded(int argc, char** argv, const std::function<void()>& before,
                const std::function<void(const Communicator&)>& body);

/// Returns whether this process will be rank 0 of its job, according to the launcher's environment
/// variables; true where there are none.
bool will_be_first_rank();

}  // namespace stencil
