#pragma once

#include "framework/parallel/communicator.hpp"

namespace stencil {

/// The job's ranks on the node of this rank, and the number of threads for this rank.
struct NodeShare {
  int ranks = 1;  ///< number of the job's ranks on this node
  int rank = 0;   ///< index of this process among these ranks
  /// Number of threads for this rank: the number of cores to which the rank is bound, divided by
  /// the number of ranks that are bound to the same cores.
  int threads = 1;
};

/// Finds the ranks of the job on this node. If OMP_NUM_THREADS is set, `threads` has this value
/// instead, but at most most_threads(). Collective.
NodeShare share_of_node(const Communicator& communicator);

}  // namespace stencil
