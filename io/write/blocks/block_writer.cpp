#include "io/write/blocks/block_writer.hpp"

#include <fmt/core.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <iterator>
#include <limits>
#include <mutex>

#include "framework/grid/error.hpp"
#include "io/write/blocks/part_exchange.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

constexpr Index window_bytes = Index{16} << 20;  // size of split blocks per rank and round
constexpr Index most_in_window = Index{1} << 30;
constexpr Index most_for_threads = Index{256} << 20;

/// Returns the size of the buffers of a thread: for a block and, if it is packed, for its shuffled
/// bytes and the packed result.
Index worker_bytes(const BlockGrid& grid, bool is_packed) {
  const Index block = grid.most_bytes();
  return is_packed ? 2 * block + most_packed_bytes(block) : block;
}

int threads_for(const BlockGrid& grid, bool is_packed, int threads) {
  const Index room = most_for_threads / worker_bytes(grid, is_packed);
  return static_cast<int>(std::clamp<Index>(room, 1, threads));
}

/// Number of blocks whose parts are exchanged in one round.
Index blocks_in_window(const BlockGrid& grid, int ranks) {
  return std::max<Index>(1, std::min(window_bytes * ranks, most_in_window) / grid.most_bytes());
}

/// Returns the rank that writes a block whose parts are on several ranks.
int writer_of(Index block, int ranks) {
  return static_cast<int>(block % ranks);
}

int team_for(Index blocks, Index workers) {
  return static_cast<int>(std::clamp<Index>(blocks, 1, workers));
}

}  // namespace

BlockWriter::BlockWriter(const BlockGrid& grid, int gzip_level, int file, int folder,
                         Index first_byte, std::string name)
    : grid_(grid),
      gzip_level_(gzip_level),
      file_(file),
      first_byte_(first_byte),
      name_(std::move(name)),
      packed_(folder, name_),
      split_(grid_, name_),
      workers_(static_cast<std::size_t>(
          threads_for(grid, gzip_level > 0, std::max(1, omp_get_max_threads())))) {}

void BlockWriter::prepare(Worker& worker) const {
  const Index bytes = grid_.most_bytes();
  if (!worker.block) worker.block.reset(new std::byte[static_cast<std::size_t>(bytes)]);
  if (gzip_level_ > 0 && !worker.packer)
    worker.packer.emplace(gzip_level_, bytes, grid_.shuffled_bytes());
}

void BlockWriter::for_each_block(Index n, const std::function<void(Worker&, Index)>& work) {
  std::exception_ptr failure;
  std::atomic<bool> failed{false};
  std::mutex first;
  const auto guarded = [&](const auto& part) {
    if (failed) return;
    try {
      part();
    } catch (...) {
      const std::lock_guard<std::mutex> guard(first);
      if (!failure) failure = std::current_exception();
      failed = true;
    }
  };
#pragma omp parallel num_threads(team_for(n, std::ssize(workers_)))
  {
    Worker& worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
    guarded([&] { prepare(worker); });
#pragma omp for schedule(dynamic)
    for (Index i = 0; i < n; ++i) guarded([&] { work(worker, i); });
  }
  if (failure) std::rethrow_exception(failure);
}

void BlockWriter::store(Worker& worker, Index block, const std::byte* bytes) {
  const Index size = grid_.stored_in(block).points() * grid_.element_bytes();
  worker.counts.missing += grid_.missing_numbers(block, bytes);
  if (gzip_level_ > 0) {
    const std::span<const std::byte> chunk = worker.packer->pack(bytes);
    worker.written.push_back({block, checksum_of(chunk.data(), chunk.size()),
                              static_cast<Index>(chunk.size()), packed_.add(chunk)});
    return;
  }
  const Index at = first_byte_ + grid_.offset(block);
  worker.written.push_back({block, checksum_of(bytes, static_cast<std::size_t>(size)), size, at});
  if (const int error = write_exactly(file_, bytes, size, at))
    throw_unwritable("cannot write " + name_, error, name_);
}

std::vector<BlockPart> BlockWriter::write_whole(const std::vector<Piece>& slabs,
                                                const FillPart& fill) {
  std::vector<BlockPart> split;
  for (std::size_t slab = 0; slab < slabs.size(); ++slab) {
    std::vector<Index> whole;
    for (const Index block : grid_.touched_by(slabs[slab])) {
      const Piece points = grid_.points_in(block);
      Piece part = common_part(points, slabs[slab]);
      if (part.count == points.count)
        whole.push_back(block);
      else
        split.push_back({block, slab, std::move(part)});
    }
    std::vector<Held> held = holds_ ? held_for(whole) : std::vector<Held>{};
    for_each_block(std::ssize(whole), [&](Worker& worker, Index i) {
      const auto at = static_cast<std::size_t>(i);
      const Index block = whole[at];
      std::byte* const to = holds_ ? held[at].bytes.get() : worker.block.get();
      const Piece points = grid_.points_in(block), stored = grid_.stored_in(block);
      if (points.count != stored.count)  // padding beyond the edge is also written
        std::memset(to, 0, static_cast<std::size_t>(grid_.most_bytes()));
      worker.counts += fill({block, slab, points}, stored, to);
      if (!holds_) store(worker, block, to);
    });
    std::move(held.begin(), held.end(), std::back_inserter(held_));
  }
  std::sort(split.begin(), split.end(),
            [](const BlockPart& a, const BlockPart& b) { return a.block < b.block; });
  return split;
}

std::vector<std::vector<std::byte>> BlockWriter::messages_of(const std::vector<BlockPart>& parts,
                                                             std::size_t first, std::size_t last,
                                                             int ranks, const FillPart& fill) {
  std::vector<std::vector<std::byte>> messages(static_cast<std::size_t>(ranks));
  for (std::size_t i = first; i < last; ++i) {
    const BlockPart& part = parts[i];
    auto& message = messages[static_cast<std::size_t>(writer_of(part.block, ranks))];
    workers_.front().counts += fill(part, part.piece, split_.add_part(part, message));
  }
  for (auto& message : messages)
    if (!message.empty()) SplitBlocks::finish(message);
  return messages;
}

std::vector<BlockWriter::Held> BlockWriter::held_for(const std::vector<Index>& blocks) {
  std::vector<Held> held;
  for (const Index block : blocks) {
    if (spare_.empty())
      spare_.push_back({0, std::unique_ptr<std::byte[]>(
                               new std::byte[static_cast<std::size_t>(grid_.most_bytes())])});
    held.push_back({block, std::move(spare_.back().bytes), true});
    spare_.pop_back();
  }
  return held;
}

void BlockWriter::store_held() {
  holds_ = false;
  for_each_block(std::ssize(held_), [&](Worker& worker, Index i) {
    const Held& held = held_[static_cast<std::size_t>(i)];
    store(worker, held.block, held.bytes.get());
  });
  for (Held& held : held_)
    if (held.is_whole_size) spare_.push_back(std::move(held));
  held_.clear();
}

void BlockWriter::packed_are_in_file() {
  for (Worker& worker : workers_) {
    in_file_.insert(in_file_.end(), worker.written.begin(), worker.written.end());
    worker.written.clear();
  }
  packed_.clear();
}

void BlockWriter::store_all(std::map<Index, SplitBlocks::Bytes>& blocks) {
  if (holds_) {
    for (auto& [block, bytes] : blocks) held_.push_back({block, std::move(bytes), false});
    return;
  }
  std::vector<std::pair<Index, const std::byte*>> list;
  for (const auto& [block, bytes] : blocks) list.emplace_back(block, bytes.get());
  for_each_block(std::ssize(list), [&](Worker& worker, Index i) {
    const auto& [block, bytes] = list[static_cast<std::size_t>(i)];
    store(worker, block, bytes);
  });
}

namespace {

/// Returns the first block whose parts do not fit into the messages of one round.
Index end_of_round(const std::vector<BlockPart>& parts, std::size_t first, Index element_bytes) {
  Index bytes = 0;
  for (std::size_t i = first; i < parts.size(); ++i) {
    bytes += parts[i].piece.points() * element_bytes;
    if (bytes > window_bytes && parts[i].block != parts[first].block) return parts[i].block;
  }
  return std::numeric_limits<Index>::max();
}

}  // namespace

void BlockWriter::write_split(const Communicator& communicator, const std::vector<BlockPart>& parts,
                              const FillPart& fill) {
  constexpr Index none = std::numeric_limits<Index>::max();
  const auto least = [&](Index value) { return -communicator.maximum(-value); };
  const Index window = blocks_in_window(grid_, communicator.size());
  // all ranks iterate over the same windows of blocks, so that no rank holds more than one window
  for (std::size_t sent = 0;;) {
    const Index first = least(sent < parts.size() ? parts[sent].block : none);
    if (first == none) return;
    const Index end =
        std::min(first + window, least(end_of_round(parts, sent, grid_.element_bytes())));
    std::size_t last = sent;
    while (last < parts.size() && parts[last].block < end) ++last;
    std::vector<std::vector<std::byte>> messages;
    communicator.agree(
        [&] { messages = messages_of(parts, sent, last, communicator.size(), fill); });
    sent = last;
    messages = exchange_messages(communicator, std::move(messages));
    communicator.agree([&] {
      std::map<Index, SplitBlocks::Bytes> complete;
      for (const auto& message : messages) split_.take(message, complete);
      store_all(complete);
    });
  }
}

StreamTarget BlockWriter::stream_target(UncachedFile& uncached, OrderedChunks* ordered,
                                        bool verifies) {
  return {grid_,   gzip_level_, file_,   first_byte_, name_,
          packed_, streamed_,   ordered, uncached,    verifies};
}

namespace {

/// Appends records without allocating more memory than they need.
void append(std::vector<Written>& to, const std::vector<Written>& from) {
  to.reserve(to.size() + from.size());
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void BlockWriter::take(BlockStream& stream) {
  const BlockStream::Records records = stream.release();
  Worker& worker = workers_.front();
  append(worker.written, records.unverified);
  worker.counts += records.counts;
  append(ordered_, records.ordered);
  append(verified_, records.verified);
}

std::vector<Written> BlockWriter::keep_waiting(OrderedChunks* ordered) {
  const Index in_file = ordered ? ordered->written() : 0;
  if (ordered) {
    std::map<Index, Index> kept;
    for (const auto& [block, chunk] : ordered->take_back()) kept[block] = packed_.add(chunk);
    for (Written& record : ordered_)
      if (record.block >= in_file) record.at = kept.at(record.block);
  }
  std::vector<Written> records = not_verified();
  std::erase_if(records, [&](const Written& record) { return record.block < in_file; });
  return records;
}

Index BlockWriter::written() const {
  auto blocks = in_file_.size() + ordered_.size() + verified_.size();
  for (const Worker& worker : workers_) blocks += worker.written.size();
  return static_cast<Index>(blocks);
}

std::vector<Written> BlockWriter::not_verified() const {
  std::vector<Written> all;
  all.reserve(static_cast<std::size_t>(written()) - verified_.size());
  append(all, ordered_);
  for (const Worker& worker : workers_) append(all, worker.written);
  std::sort(all.begin(), all.end(),
            [](const Written& a, const Written& b) { return a.block < b.block; });
  return all;
}

std::vector<Written> BlockWriter::records() const {
  std::vector<Written> all = not_verified();
  append(all, verified_);
  append(all, in_file_);
  return all;
}

std::vector<Written> BlockWriter::release_written() {
  append(ordered_, in_file_);
  in_file_ = {};
  std::vector<Written> all = not_verified();
  ordered_ = {};
  for (Worker& worker : workers_) worker.written = {};
  return all;
}

WriteCounts BlockWriter::counts() const {
  WriteCounts counts;
  for (const Worker& worker : workers_) counts += worker.counts;
  return counts;
}

Index block_writer_bytes(const BlockGrid& grid, bool is_packed, Index most_split) {
  const int threads = threads_for(grid, is_packed, std::max(1, omp_get_max_threads()));
  const Index all = checked_multiply(grid.size(), grid.most_bytes());
  // a part exists several times: in its message, in all messages of the round, as received, and in
  // its block
  const Index travelling = std::min({std::max(window_bytes, grid.most_bytes()), most_split, all});
  return checked_multiply(threads, worker_bytes(grid, is_packed)) + 4 * travelling +
         (is_packed ? std::min(PackedStore::most_in_memory, all) : 0);
}

}  // namespace stencil::storage
