#pragma once

namespace stencil {

/// Answers in the place of MPI_Init where that could only fail, at length: OpenMPI finds the other
/// tasks of a step through PMIx, and a plain `srun` does not offer it. Before MPI_Init; the first
/// task prints the one line.
///
/// @returns the exit status, 0 where MPI_Init may be called
int refuse_launch_without_pmi();

}  // namespace stencil
