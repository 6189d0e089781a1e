#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/packing.hpp"
#include "io/write/blocks/block_stream.hpp"
#include "io/write/blocks/output_blocks.hpp"
#include "io/write/blocks/packed_store.hpp"
#include "io/write/blocks/readback.hpp"
#include "io/write/blocks/split_blocks.hpp"

namespace stencil::storage {

/// Converts the points of a part to the type of the output and writes them to memory. The layout of
/// the memory is that of a hyperslab, `layout`, which contains the points. May be called from any
/// thread.
using FillPart = std::function<WriteCounts(const BlockPart&, const Piece& layout, std::byte* to)>;

/// Writes an output block by block; each block is written by one rank in one call. If the position
/// of a block in the file is known, the block is written to the file; otherwise the block is packed
/// and kept in a store. A block whose points are all on one rank is written by that rank; the parts
/// of any other block are sent to one rank.
class BlockWriter {
 public:
  /// @param file       the file, open for writing; file and folder must outlive the writer
  /// @param folder     the folder of the output
  /// @param first_byte offset of the dataset in the file; used only without packing
  /// @param gzip_level 0 if chunks are not packed
  BlockWriter(const BlockGrid& grid, int gzip_level, int file, int folder, Index first_byte,
              std::string name);
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  /// Writes the blocks whose points are all in hyperslabs of this rank. @returns the parts of all
  /// other blocks. @throws Error
  std::vector<BlockPart> write_whole(const std::vector<Piece>& slabs, const FillPart& fill);
  /// Sends parts to the ranks that write their blocks. Collective. @throws Error  on every rank
  void write_split(const Communicator& communicator, const std::vector<BlockPart>& parts,
                   const FillPart& fill);
  /// Until the next call of store_held(), write_whole() and write_split() keep blocks in memory
  /// instead of writing them. The memory is reused by later calls.
  void hold() { holds_ = true; }
  /// Writes the held blocks. May be called from any thread, but not concurrently with other
  /// functions.
  /// @throws Error
  void store_held();
  /// Sets aside the records of packed chunks that were written to the file, and removes the chunks
  /// from the store.
  void packed_are_in_file();
  const BlockGrid& grid() const { return grid_; }
  const PackedStore& packed() const { return packed_; }
  /// Returns the values that a BlockStream needs.
  /// @param uncached, ordered  must outlive the stream; ordered may be null
  StreamTarget stream_target(UncachedFile& uncached, OrderedChunks* ordered, bool verifies);
  /// Adds the records of blocks that a stream has written to the records of write_whole() and
  /// write_split().
  void take(BlockStream& stream);
  /// Adds the record of a block that an earlier run has written, or the counts of that run, to the
  /// records or counts of this rank.
  void adopt(const Written& record) { workers_.front().written.push_back(record); }
  void adopt(const WriteCounts& counts) { workers_.front().counts += counts; }
  /// Like adopt(), for a block that has been read back (adopt_verified) or a packed block that is
  /// already in the file (adopt_packed).
  void adopt_verified(const Written& record) { verified_.push_back(record); }
  void adopt_packed(const Written& record) { in_file_.push_back(record); }
  /// Records of all blocks that this rank has written, in any order.
  std::vector<Written> records() const;
  /// Number of blocks that this rank has written.
  Index written() const;
  /// Returns whether this rank has received only some of the points of a block that it writes.
  bool has_parts() const { return split_.has_parts(); }
  /// Returns and removes the records of the blocks that this rank has written and not verified, in
  /// the order of block numbers.
  std::vector<Written> release_written();
  /// Returns and removes the records of the blocks that streams have read back, in any order.
  std::vector<Written> release_verified() { return std::exchange(verified_, {}); }
  /// Moves chunks that wait for earlier chunks to the store. Call it when no further chunks will
  /// arrive. @returns records of all chunks that are not yet in the file, in the order of block
  /// numbers
  std::vector<Written> keep_waiting(OrderedChunks* ordered);
  WriteCounts counts() const;

 private:
  /// State of one thread.
  struct Worker {
    std::unique_ptr<std::byte[]> block;
    std::optional<ChunkPacker> packer;
    std::vector<Written> written;
    WriteCounts counts;
  };
  /// A block in memory.
  struct Held {
    Index block = 0;
    std::unique_ptr<std::byte[]> bytes;
    bool is_whole_size = false;  ///< large enough for any block
  };

  std::vector<Written> not_verified() const;
  std::vector<Held> held_for(const std::vector<Index>& blocks);
  void prepare(Worker& worker) const;
  void for_each_block(Index n, const std::function<void(Worker&, Index)>& work);
  void store(Worker& worker, Index block, const std::byte* bytes);
  void store_all(std::map<Index, SplitBlocks::Bytes>& blocks);
  std::vector<std::vector<std::byte>> messages_of(const std::vector<BlockPart>& parts,
                                                  std::size_t first, std::size_t last, int ranks,
                                                  const FillPart& fill);

  BlockGrid grid_;
  int gzip_level_, file_;
  Index first_byte_;
  std::string name_;
  PackedStore packed_;
  SplitBlocks split_;
  std::vector<Worker> workers_;
  bool holds_ = false;
  std::vector<Held> held_, spare_;
  std::vector<Written> in_file_;   ///< packed chunks
  std::vector<Written> ordered_;   ///< packed chunks that OrderedChunks has accepted
  std::vector<Written> verified_;  ///< read back by streams
  PartialBlocks streamed_;         ///< blocks whose parts come from streams
};

/// Upper bound of the memory in bytes that a BlockWriter allocates on a rank.
///
/// @param most_split  size in bytes of split blocks in one write_split()
Index block_writer_bytes(const BlockGrid& grid, bool is_packed, Index most_split);

}  // namespace stencil::storage
