#include "io/read/kept_chunks.hpp"

#include <utility>

namespace stencil::storage {

KeptChunks::Points KeptChunks::find_or_claim(Index n) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !claimed_.contains(n); });
  Points points = find(n);
  if (!points) claimed_.insert(n);
  return points;
}

void KeptChunks::give_up(Index n) {
  {
    const std::lock_guard lock(mutex_);
    claimed_.erase(n);
  }
  changed_.notify_all();
}

KeptChunks::Points KeptChunks::find(Index n) {
  const auto found = chunks_.find(n);
  if (found == chunks_.end()) return nullptr;
  uses_.splice(uses_.end(), uses_, found->second.use);
  return found->second.points;
}

void KeptChunks::keep(Index n, Points points) {
  const auto bytes = static_cast<Index>(points->size());
  if (bytes <= most_) {
    const std::lock_guard lock(mutex_);
    while (bytes_ + bytes > most_) {
      const auto oldest = chunks_.find(uses_.front());
      bytes_ -= static_cast<Index>(oldest->second.points->size());
      chunks_.erase(oldest);
      uses_.pop_front();
    }
    std::list<Index> use{n};
    chunks_.emplace(n, Kept{std::move(points), use.begin()});  // nothing after this line throws
    uses_.splice(uses_.end(), use);
    bytes_ += bytes;
  }
  give_up(n);
}

}  // namespace stencil::storage
