#pragma once

#include <mpi.h>

namespace stencil {

/// Whether this process may print the line that explains why the job ends. True for the first
/// caller on this node after share_last_word() was called, before that for the first caller in this
/// process. May be called from any thread.
bool take_last_word();

/// Makes the ranks of each node one in take_last_word(). Collective.
void share_last_word(MPI_Comm communicator);

/// Whether the job has ranks on other nodes, which take_last_word() does not see; false until
/// share_last_word().
bool spans_nodes();

/// Whether take_last_word() is true for one rank of the whole job; false until share_last_word().
bool is_last_word_of_job();

}  // namespace stencil
