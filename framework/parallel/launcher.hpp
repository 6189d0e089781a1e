#pragma once

namespace stencil {

/// Answers in the place of MPI_Init where that could only fail, at length: OpenMPI finds the other
/// tasks of a step through PMIx, and a plain `srun` does not offer it. Before MPI_Init; the first
/// task prints the one line.
///
/// @returns the exit status, 0 where MPI_Init may be called
int refuse_launch_without_pmi();

/// Spares a process that no launcher has started what OpenMPI would otherwise do in MPI_Init: it
/// starts a daemon, and looks for networks, which took 0.3 s of a run of 0.35 s. Before MPI_Init and
/// before any thread, as it changes the environment; variables that the user has set stay.
void start_alone_quickly();

}  // namespace stencil
