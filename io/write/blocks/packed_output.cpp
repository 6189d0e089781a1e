#include "io/write/blocks/packed_output.hpp"

#include <exception>
#include <numeric>
#include <optional>

#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/part_exchange.hpp"
#include "io/write/write_errors.hpp"

namespace stencil::storage {
namespace {

constexpr Index batch_bytes = Index{4} << 20;  // size of a batch; at least one chunk

/// Description of a chunk, which rank 0 receives before the chunk itself.
struct Chunk {
  Index block = 0, bytes = 0;
};

/// Returns the index after the last chunk of the batch that begins with chunk `first`. The sender
/// and the receiver compute the same batches.
template <class List>
std::size_t end_of_batch(const List& chunks, std::size_t first) {
  Index bytes = chunks[first].bytes;
  std::size_t last = first + 1;
  while (last < chunks.size() && bytes + chunks[last].bytes <= batch_bytes)
    bytes += chunks[last++].bytes;
  return last;
}

/// Gathers the descriptions of the chunks of every rank on rank 0. Collective.
std::vector<std::vector<Chunk>> chunks_of_all(const Communicator& communicator,
                                              const std::vector<Written>& own) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<Index> mine;
  for (const Written& record : own) mine.insert(mine.end(), {record.block, record.bytes});
  const int count = static_cast<int>(mine.size());
  std::vector<int> counts(ranks), starts(ranks);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, communicator.handle());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  std::vector<Index> all(static_cast<std::size_t>(starts.back() + counts.back()));
  MPI_Gatherv(mine.data(), count, MPI_INT64_T, all.data(), counts.data(), starts.data(),
              MPI_INT64_T, 0, communicator.handle());
  std::vector<std::vector<Chunk>> chunks(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (int i = starts[rank]; i < starts[rank] + counts[rank]; i += 2)
      chunks[rank].push_back(
          {all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i) + 1]});
  return chunks;
}

/// Keeps the first failure. Chunks are still sent and received after a failure, so that no rank
/// waits forever.
class FirstFailure {
 public:
  template <class Work>
  void guard(const Work& work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::exception_ptr failure_;
};

/// The packed chunks of this rank, in batches.
class Batches {
 public:
  Batches(const PackedStore& packed, const std::vector<Written>& own)
      : packed_(packed), own_(own) {}

  bool done() const { return first_ == own_.size(); }
  /// Reads the next batch; its content is undefined after a failure.
  void next(std::vector<std::byte>& batch, FirstFailure& failure) {
    const std::size_t last = end_of_batch(own_, first_);
    Index bytes = 0;
    for (std::size_t i = first_; i < last; ++i) bytes += own_[i].bytes;
    batch.resize(static_cast<std::size_t>(bytes));
    failure.guard([&] {
      Index at = 0;
      for (std::size_t i = first_; i < last; at += own_[i++].bytes)
        packed_.read(own_[i].at, own_[i].bytes, batch.data() + at);
    });
    first_ = last;
  }

 private:
  const PackedStore& packed_;
  const std::vector<Written>& own_;
  std::size_t first_ = 0;
};

/// The chunks of one rank, as received by rank 0.
class Incoming {
 public:
  explicit Incoming(std::vector<Chunk> chunks) : chunks_(std::move(chunks)) {}

  /// Returns the next chunk; its number is `none` if all chunks have been taken.
  Chunk next(Index none) const { return at_ < chunks_.size() ? chunks_[at_] : Chunk{none, 0}; }

  /// Returns the bytes of the next chunk, valid until the next call.
  /// @param receive  fills a batch, whose size is already set
  template <class Receive>
  const std::byte* take(const Receive& receive) {
    if (at_ == end_) {
      end_ = end_of_batch(chunks_, at_);
      Index bytes = 0;
      for (std::size_t i = at_; i < end_; ++i) bytes += chunks_[i].bytes;
      batch_.resize(static_cast<std::size_t>(bytes));
      receive(batch_);
      inside_ = 0;
    }
    const std::byte* const chunk = batch_.data() + inside_;
    inside_ += chunks_[at_++].bytes;
    return chunk;
  }

 private:
  std::vector<Chunk> chunks_;
  std::vector<std::byte> batch_;
  std::size_t at_ = 0, end_ = 0;
  Index inside_ = 0;
};

/// Writes the chunks of all ranks, on rank 0.
void write_all(const Communicator& communicator, std::vector<std::vector<Chunk>> chunks,
               const BlockGrid& grid, PackedTarget& target, Batches own, FirstFailure& failure) {
  std::vector<Incoming> incoming;
  for (std::vector<Chunk>& list : chunks) incoming.emplace_back(std::move(list));
  for (;;) {
    std::size_t rank = 0;
    for (std::size_t other = 1; other < incoming.size(); ++other)
      if (incoming[other].next(grid.size()).block < incoming[rank].next(grid.size()).block)
        rank = other;
    const Chunk next = incoming[rank].next(grid.size());
    if (next.block == grid.size()) return;
    const std::byte* const chunk = incoming[rank].take([&](std::vector<std::byte>& batch) {
      if (rank == 0) return own.next(batch, failure);
      receive_bytes(communicator, batch.data(), std::ssize(batch), static_cast<int>(rank));
    });
    failure.guard([&] { target.write(next.block, {chunk, static_cast<std::size_t>(next.bytes)}); });
  }
}

}  // namespace

void write_packed(const Communicator& communicator, PackedTarget* target, const std::string& name,
                  const BlockGrid& grid, const PackedStore& packed,
                  const std::vector<Written>& own) {
  std::vector<std::vector<Chunk>> chunks = chunks_of_all(communicator, own);
  FirstFailure failure;
  Batches batches(packed, own);
  if (communicator.rank() == 0)
    write_all(communicator, std::move(chunks), grid, *target, batches, failure);
  std::vector<std::byte> batch;
  while (communicator.rank() != 0 && !batches.done()) {
    batches.next(batch, failure);
    send_bytes(communicator, batch.data(), std::ssize(batch), 0);
  }
  communicator.agree([&] {
    with_room(name, [&] {
      failure.rethrow();
      if (target) target->close();
    });
  });
}

}  // namespace stencil::storage
