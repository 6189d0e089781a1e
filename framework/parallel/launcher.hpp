#pragma once

#include <string>

namespace stencil {

/// Refuses to start where MPI_Init could only fail, and would print many lines: OpenMPI finds the
/// other tasks of a Slurm step through PMIx, which neither a plain `srun` nor its older PMI offers.
/// To be called before MPI_Init.
///
/// @throws MachineError  on every task
void require_launch_with_pmi();

/// The same for a program: the first task prints the line.
///
/// @returns the exit status, 0 where MPI_Init may be called
int refuse_launch_without_pmi();

/// For a process that no launcher has started, or that is the only task of a Slurm step: keeps
/// OpenMPI from starting a daemon and searching for networks in MPI_Init, which took 0.3 s of a run
/// of 0.35 s, and from looking for the PMI of a step without one, which ends it. To be called
/// before MPI_Init and before there are threads, because it changes the environment; variables that
/// the user has set stay, but for SLURM_STEP_ID.
void start_alone_quickly();

/// What a program that ends with status 75 says at the end of its line, because mpirun then prints
/// a block of its own about a failure; empty where mpirun has not started this process.
std::string words_on_mpirun();

}  // namespace stencil
