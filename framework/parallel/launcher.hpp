#pragma once

#include <string>

namespace stencil {

/// Throws if MPI_Init would fail and print many lines: OpenMPI finds the other tasks of a Slurm
/// step through PMIx, which is missing under a plain `srun` and under Slurm's older PMI. Call it
/// before MPI_Init.
///
/// @throws MachineError  on every task
void require_launch_with_pmi();

/// Like require_launch_with_pmi(), but instead of throwing an exception, the first task prints the
/// error message.
///
/// @returns the exit status, 0 if MPI_Init may be called
int refuse_launch_without_pmi();

/// Speeds up MPI_Init for a process that no launcher has started, or that is the only task of a
/// Slurm step. Prevents OpenMPI from starting a daemon and searching for networks, which took 0.3 s
/// of a run of 0.35 s. Also prevents OpenMPI from searching for PMI in a Slurm step without PMI,
/// which would end the process. Call it before MPI_Init and before other threads exist, because it
/// changes the environment. Variables that the user has set are kept, except SLURM_STEP_ID.
void start_alone_quickly();

/// Returns the text that a program appends to its last line if it ends with status 75. The text
/// explains the message about a failure that mpirun then prints, and is empty if mpirun has not
/// started this process.
std::string words_on_mpirun();

}  // namespace stencil
