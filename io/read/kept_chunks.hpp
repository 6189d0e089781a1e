#pragma once

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// Cache of unpacked chunks that evicts the least recently used chunk. May be used by several
/// threads.
class KeptChunks {
 public:
  using Points = std::shared_ptr<const std::vector<std::byte>>;

  explicit KeptChunks(Index most_bytes) : most_(most_bytes) {}
  /// Returns the n-th chunk, which becomes the most recently used chunk. Returns null if the chunk
  /// is not cached. In this case, the calling thread must unpack the chunk and then call keep() or
  /// give_up(). Until then, other threads that need the chunk wait.
  Points find_or_claim(Index n);
  /// Stores the n-th chunk and evicts other chunks if necessary. @pre this thread has claimed the
  /// chunk with find_or_claim()
  void keep(Index n, Points points);
  /// Lets other threads unpack the n-th chunk themselves. @pre this thread has claimed the chunk
  /// with find_or_claim()
  void give_up(Index n);

 private:
  Points find(Index n);

  struct Kept {
    Points points;
    std::list<Index>::iterator use;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_set<Index> claimed_;
  Index most_, bytes_ = 0;
  std::list<Index> uses_;  ///< least recently used first
  std::unordered_map<Index, Kept> chunks_;
};

}  // namespace stencil::storage
