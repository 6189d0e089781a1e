#include "framework/parallel/node.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "framework/device/most_threads.hpp"

namespace stencil {

NodeShare share_of_node(const Communicator& communicator) {
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator.handle(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  NodeShare share;
  MPI_Comm_size(node, &share.ranks);
  MPI_Comm_rank(node, &share.rank);

  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0)  // fails on a machine with more than 1024
                                                      // processors
    for (unsigned k = 0; k < std::min(1024U, std::thread::hardware_concurrency()); ++k)
      CPU_SET(k, &mine);
  std::vector<cpu_set_t> all(static_cast<std::size_t>(share.ranks));
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, node);
  MPI_Comm_free(&node);

  const auto sharing = std::count_if(
      all.begin(), all.end(), [&](const cpu_set_t& other) { return CPU_EQUAL(&other, &mine); });
  share.threads = std::max(1, CPU_COUNT(&mine) / std::max(1, static_cast<int>(sharing)));
  if (const char* asked = std::getenv("OMP_NUM_THREADS"))
    share.threads =
        static_cast<int>(std::clamp(std::strtol(asked, nullptr, 10), 1L, long{most_threads()}));
  return share;
}

}  // namespace stencil
