#pragma once

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// How the ranks of a job share the node that this rank runs on.
struct NodeShare {
  int ranks = 1;  ///< of the job on this node
  int rank = 0;   ///< of this process among them
  int threads =
      1;  ///< for this rank: its cores divided by the ranks that are bound to the same ones
};

/// Four for each processor of this machine: more compute nothing sooner, and very many would not
/// fit on a stack when they start.
int most_threads();

/// Looks at who else is here. `threads` is what OMP_NUM_THREADS says where it is set, at most
/// most_threads(). Collective.
NodeShare share_of_node(const Communicator& communicator);

}  // namespace stencil
