#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/parallel/communicator.hpp"
#include "io/hdf5/conversion.hpp"
#include "io/hdf5/packing.hpp"
#include "io/write/output_blocks.hpp"
#include "io/write/packed_store.hpp"
#include "io/write/readback.hpp"

namespace stencil::storage {

/// Points of one rank that belong to one block.
struct BlockPart {
  Index block = 0;
  std::size_t slab = 0;  ///< which of the hyperslabs that the rank has they are in
  Piece piece;
};

/// Writes the points of a part, in the type of the output, into memory that is laid out as a
/// hyperslab which holds it. Any thread may call.
using FillPart = std::function<WriteCounts(const BlockPart&, const Piece& layout, std::byte* to)>;

/// Writes an output block by block, each from one rank and at once: into the file where its place
/// is known, else packed into a store. A block that one rank has all points of is that rank's; the
/// parts of any other travel to one rank.
class BlockWriter {
 public:
  /// @param file       open for writing; outlives the writer, as does the folder
  /// @param folder     of the output
  /// @param first_byte of the dataset in the file; without packing
  /// @param gzip_level 0: not packed
  BlockWriter(const BlockGrid& grid, int gzip_level, int file, int folder, Index first_byte,
              std::string name);

  /// Writes the blocks that hyperslabs of this rank hold all points of. @returns the parts of all
  /// other blocks. @throws Error
  std::vector<BlockPart> write_whole(const std::vector<Piece>& slabs, const FillPart& fill);
  /// Brings parts to the ranks that write their blocks. Collective. @throws Error  agreed upon
  void write_split(const Communicator& communicator, const std::vector<BlockPart>& parts,
                   const FillPart& fill);
  const BlockGrid& grid() const { return grid_; }
  const PackedStore& packed() const { return packed_; }
  /// What this rank has written so far, in the order of block numbers.
  std::vector<Written> written() const;
  WriteCounts counts() const;

 private:
  /// What a thread works with.
  struct Worker {
    std::unique_ptr<std::byte[]> block;
    std::optional<ChunkPacker> packer;
    std::vector<Written> written;
    WriteCounts counts;
  };
  /// A block that waits for more points.
  struct Partial {
    std::unique_ptr<std::byte[]> bytes;
    Index points = 0;
  };

  void prepare(Worker& worker) const;
  void for_each_block(Index n, const std::function<void(Worker&, Index)>& work);
  void store(Worker& worker, Index block, const std::byte* bytes);
  void store_all(const std::map<Index, Partial>& blocks);
  void take(const std::vector<std::byte>& message, std::map<Index, Partial>& complete);
  std::vector<std::vector<std::byte>> messages_of(const std::vector<BlockPart>& parts,
                                                  std::size_t first, std::size_t last, int ranks,
                                                  const FillPart& fill);

  BlockGrid grid_;
  int gzip_level_, file_;
  Index first_byte_;
  std::string name_;
  PackedStore packed_;
  std::vector<Worker> workers_;
  std::map<Index, Partial> partial_;
};

/// Most bytes that a BlockWriter holds on a rank beside the points it is given.
Index block_writer_bytes(const BlockGrid& grid, bool is_packed);

}  // namespace stencil::storage
