#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/device/executor.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/hdf5/packing.hpp"
#include "io/write/blocks/ordered_chunks.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/packed_store.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil::storage {

/// The file under construction, opened a second time for access past the page cache (O_DIRECT): no
/// pages of the cache are needed, and reading back reads from the disk. Nothing if the file system
/// does not support this.
class UncachedFile {
 public:
  /// @param file  the file, open; @param wanted  false: nothing is opened
  UncachedFile(int file, bool wanted);

  /// Position and length of a transfer, and the address of its memory, are multiples of this.
  static constexpr Index page = 4096;

  bool can_write() const { return !is_refused_ && writing_; }
  bool can_read() const { return !is_refused_ && reading_; }
  int for_writing() const { return writing_.number(); }
  int for_reading() const { return reading_.number(); }
  /// Gives it up: the file system refused a transfer (EINVAL). From any thread.
  void refuse() { is_refused_ = true; }

 private:
  Descriptor writing_, reading_;  ///< two, as a file open for both makes NFS read what it writes
  std::atomic<bool> is_refused_{false};
};

/// Blocks of which windows of several threads have parts. For any threads.
class PartialBlocks {
 public:
  /// Copies a part of a block of this many bytes into the memory of the block, and counts its
  /// points.
  /// @returns the whole block if this was its last part; else null
  std::unique_ptr<std::byte[]> add(Index block, Index bytes, Index points, Index wanted,
                                   const std::function<void(std::byte* to)>& fill);

 private:
  struct Partial {
    std::unique_ptr<std::byte[]> bytes;
    Index points = 0;
  };
  std::mutex mutex_;
  std::map<Index, Partial> blocks_;
};

/// What all threads share that write blocks.
struct StreamTarget {
  const BlockGrid& grid;
  int gzip_level = 0;  ///< 0: not packed
  int file = -1;       ///< open for writing
  Index first_byte = 0;
  const std::string& name;
  PackedStore& packed;
  PartialBlocks& partial;
  OrderedChunks* ordered = nullptr;  ///< where packed blocks go as long as it takes them
  UncachedFile& uncached;
  bool verifies = true;  ///< reads back what was written
};

/// Writes blocks from one thread, while other threads write other points. Runs of whole blocks that
/// are consecutive in the file are written in one call, past the page cache if possible. A block of
/// which other windows have parts is written when its last part has arrived. Packed blocks are
/// written to the file in their order, or to the store. Sends no messages.
class BlockStream {
 public:
  /// Writes the points of a block, of the n-th hyperslab, into memory with the layout of a
  /// hyperslab that contains it.
  using Fill = std::function<WriteCounts(std::size_t slab, const Piece& points, const Piece& layout,
                                         std::byte* to)>;

  explicit BlockStream(const StreamTarget& target) : target_(target) {}

  /// Writes the blocks of hyperslabs. @throws StorageError
  void write(const std::vector<Piece>& slabs, const Fill& fill);
  /// write() in two calls: take_whole() copies the points of whole blocks, by several threads, and
  /// write_taken() writes them, perhaps from another thread. Not packed.
  /// @returns the parts of all other blocks  @throws MemoryError
  std::vector<BlockPart> take_whole(const std::vector<Piece>& slabs, const Fill& fill);
  /// @throws StorageError
  void write_taken();
  /// Reads back what the last write() or write_taken() has written past the page cache, and
  /// compares checksums.
  /// @throws StorageError  it cannot be read, or has other bytes
  void verify();

  /// What has become of the blocks.
  struct Records {
    std::vector<Written> unverified;  ///< written and not read back; packed ones in the store
    std::vector<Written> ordered;     ///< packed blocks that OrderedChunks has taken
    std::vector<Written> verified;    ///< written and read back
    WriteCounts counts;
  };
  const Records& records() const { return records_; }
  /// Gives the records away, and their memory with them.
  Records release() { return std::exchange(records_, {}); }

 private:
  /// A block, and the hyperslab that it is part of.
  struct Block {
    Written record;
    std::size_t slab = 0;
  };
  /// Blocks that follow one another in the file.
  struct Run {
    Index begin = 0, end = 0;  ///< bytes of the file
    Index at = 0;              ///< of `begin` in the memory
    std::vector<Block> blocks{};
  };
  void add_to_runs(std::size_t slab, Index block, Index& held);
  WriteCounts fill_block(std::size_t slab, Index block, std::byte* to, const Fill& fill) const;
  void pack(std::size_t slab, Index block, const Fill& fill);
  void add_part(std::size_t slab, Index block, const Piece& part, const Fill& fill);
  void store_packed(Index block, const std::byte* points);
  void write_run(const Run& run);
  bool write_uncached(const Run& run) const;
  void read_back(const Run& run);
  void leave_unverified(const Run& run);
  std::byte* hold(Index bytes);

  const StreamTarget target_;
  Memory memory_;
  Index held_ = 0;
  std::optional<ChunkPacker> packer_;
  std::vector<Run> runs_;  ///< written past the page cache, not yet read back
  Records records_;
};

/// Upper bound of the bytes that a BlockStream allocates for windows of `window` bytes.
Index block_stream_bytes(const BlockGrid& grid, bool is_packed, Index window);

}  // namespace stencil::storage
