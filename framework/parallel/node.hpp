#pragma once

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// How the ranks of a job share the node that this rank runs on.
struct NodeShare {
  int ranks = 1;  ///< of the job on this node
  int rank = 0;   ///< of this process among them
  /// For this rank: its cores divided by the ranks that are bound to the same ones.
  int threads = 1;
};

/// Finds the ranks of the job on this node. `threads` is OMP_NUM_THREADS if it is set, at most
/// most_threads(). Collective.
NodeShare share_of_node(const Communicator& communicator);

}  // namespace stencil
