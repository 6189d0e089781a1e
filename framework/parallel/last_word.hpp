#pragma once

#include <mpi.h>

namespace stencil {

/// Returns whether this process may print the line that explains why the job ends. Once
/// share_last_word() has been called, the result is true for the first caller on this node. Until
/// then, the result is true for the first caller in this process. May be called from any thread.
bool take_last_word();

/// Makes take_last_word() common to all ranks of each node. Collective.
void share_last_word(MPI_Comm communicator);

/// Returns whether the job has ranks on several nodes, which take_last_word() does not coordinate;
/// false until share_last_word().
bool spans_nodes();

/// Returns whether take_last_word() is true for only one rank of the whole job; false until
/// share_last_word().
bool is_last_word_of_job();

}  // namespace stencil
