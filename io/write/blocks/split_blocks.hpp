#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "io/write/blocks/output_blocks.hpp"

namespace stencil::storage {

/// Assembles blocks whose points are on several ranks: their parts are sent to the rank that writes
/// the block.
///
/// A message is a sequence of parts. Each part consists of the number of the block (from 1), start
/// and count per axis, and the points in the layout of the part, padded to 8 bytes. A 0 follows the
/// last part.
class SplitBlocks {
 public:
  using Bytes = std::unique_ptr<std::byte[]>;

  /// @param name  name of the file, for messages
  SplitBlocks(const BlockGrid& grid, std::string name) : grid_(grid), name_(std::move(name)) {}

  /// Adds a part to a message. @returns memory for its points; valid until the next part is added
  std::byte* add_part(const BlockPart& part, std::vector<std::byte>& message) const;
  /// Ends a message. Call it after the last part.
  static void finish(std::vector<std::byte>& message);

  /// Stores the parts of a message.
  /// @param complete  receives the bytes, as stored in the file, of the blocks that now have all
  ///                  their points; the key is the number of the block
  /// @throws Error    a point arrived twice
  void take(const std::vector<std::byte>& message, std::map<Index, Bytes>& complete);
  /// Returns whether there are blocks of which some points are still missing.
  bool has_parts() const { return !partial_.empty(); }

 private:
  /// A block of which some points are still missing.
  struct Partial {
    Bytes bytes;
    Index points = 0;
    std::vector<Piece> pieces;  ///< the parts that have arrived
  };

  const BlockGrid& grid_;
  std::string name_;
  std::map<Index, Partial> partial_;
};

}  // namespace stencil::storage
