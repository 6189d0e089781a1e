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

/// The file under construction, opened again for access without the page cache (O_DIRECT). Thus no
/// memory is used for cached pages, and data are read back from the disk. The file is not opened if
/// the file system does not support this access.
class UncachedFile {
 public:
  /// Opens the file again, if `wanted` is true.
  /// @param file    the open file
  /// @param wanted  if false, nothing is opened
  UncachedFile(int file, bool wanted);

  /// Position, length and memory address of a transfer must be multiples of this many bytes.
  static constexpr Index page = 4096;

  bool can_write() const { return !is_refused_ && writing_; }
  bool can_read() const { return !is_refused_ && reading_; }
  int for_writing() const { return writing_.number(); }
  int for_reading() const { return reading_.number(); }
  /// Stops using the file after the file system has refused a transfer (EINVAL). May be called from
  /// any thread.
  void refuse() { is_refused_ = true; }

 private:
  /// Two descriptors, because NFS reads a page before it writes to the page if the file is open for
  /// reading and writing.
  Descriptor writing_, reading_;
  std::atomic<bool> is_refused_{false};
};

/// Blocks whose parts are in windows of several threads. May be used by several threads.
class PartialBlocks {
 public:
  /// Copies a part with `points` points into the memory of a block of `bytes` bytes.
  /// @returns the whole block if it now has all `wanted` points; otherwise null
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

/// State that is shared by all threads that write blocks.
struct StreamTarget {
  const BlockGrid& grid;
  int gzip_level = 0;  ///< 0 if chunks are not packed
  int file = -1;       ///< open for writing
  Index first_byte = 0;
  const std::string& name;
  PackedStore& packed;
  PartialBlocks& partial;
  OrderedChunks* ordered = nullptr;  ///< receives packed blocks as long as it accepts them; may be
                                     ///< null
  UncachedFile& uncached;
  bool verifies = true;  ///< whether the written data are read back
};

/// Writes blocks from one thread, while other threads write other points. Runs of whole blocks that
/// are consecutive in the file are written in one call, without the page cache if possible. A block
/// that also has parts in other windows is written when its last part has been added. Packed blocks
/// are written to the file in the order of their numbers, or are kept in the store. No MPI function
/// is called.
class BlockStream {
 public:
  /// Writes the points of a block, which are part of the hyperslab number `slab`, to memory. The
  /// layout of the memory is that of the hyperslab `layout`, which contains the points.
  using Fill = std::function<WriteCounts(std::size_t slab, const Piece& points, const Piece& layout,
                                         std::byte* to)>;

  explicit BlockStream(const StreamTarget& target) : target_(target) {}

  /// Writes the blocks of hyperslabs. @throws StorageError
  void write(const std::vector<Piece>& slabs, const Fill& fill);
  /// Like write(), but divided into two calls: take_whole() copies the points of whole blocks, with
  /// several threads, and write_taken() writes the copies, possibly in another thread. Cannot be
  /// used for packed outputs.
  /// @returns the parts of all other blocks  @throws MemoryError
  std::vector<BlockPart> take_whole(const std::vector<Piece>& slabs, const Fill& fill);
  /// Writes the blocks that take_whole() has copied. @throws StorageError
  void write_taken();
  /// Reads back those data of the last write() or write_taken() that were written without the page
  /// cache, and compares checksums.
  /// @throws StorageError  the data cannot be read, or differ from the data that were written
  void verify();

  /// Records of the blocks, by their state.
  struct Records {
    std::vector<Written> unverified;  ///< written but not read back; packed blocks in the store
    std::vector<Written> ordered;     ///< packed blocks that OrderedChunks has accepted
    std::vector<Written> verified;    ///< written and read back
    WriteCounts counts;
  };
  const Records& records() const { return records_; }
  /// Returns the records and releases their memory.
  Records release() { return std::exchange(records_, {}); }

 private:
  /// A block, and the index of the hyperslab that contains it.
  struct Block {
    Written record;
    std::size_t slab = 0;
  };
  /// Blocks that are consecutive in the file.
  struct Run {
    Index begin = 0, end = 0;  ///< bytes of the file
    Index at = 0;              ///< position of `begin` in the memory
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
  std::vector<Run> runs_;  ///< written without the page cache, not yet read back
  Records records_;
};

/// Upper bound of the memory in bytes that a BlockStream allocates for windows of `window` bytes.
Index block_stream_bytes(const BlockGrid& grid, bool is_packed, Index window);

}  // namespace stencil::storage
