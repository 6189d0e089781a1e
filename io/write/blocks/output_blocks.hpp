#pragma once

#include <vector>

#include "framework/grid/box.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The blocks of an output: each is one contiguous range of bytes of the file, written in one call
/// by one rank. Blocks of a chunked dataset are its chunks, padded with zeros at the upper edges;
/// blocks of a contiguous dataset are whole rows of about 1 MiB. Blocks are numbered in row-major
/// order. The functions only compute; they do not communicate.
class BlockGrid {
 public:
  /// @param dims   the extents of the dataset, slowest axis first
  /// @param chunk  per axis; empty for a contiguous dataset
  /// @param apart  number of leading axes; each block has a single index along each of these axes
  /// @param parts  number of parts of an element of the dataset: 2 for complex numbers, else 1
  BlockGrid(const std::vector<Index>& dims, const std::vector<Index>& chunk, Index element_bytes,
            std::size_t apart = 0, Index parts = 1);

  /// Number of blocks.
  Index size() const { return size_; }
  Index element_bytes() const { return element_bytes_; }
  /// Returns how many complex numbers of a complete block have a part that is NaN; 0 for real
  /// numbers. The block must be complete, because the two parts of a number may be written one
  /// after the other.
  Index missing_numbers(Index block, const std::byte* bytes) const;
  /// Size in bytes of an element of the dataset with all its parts: the number of bytes that the
  /// shuffle filter needs.
  Index shuffled_bytes() const { return element_bytes_ * parts_; }
  /// Bytes of the largest block.
  Index most_bytes() const { return unit_points_ * element_bytes_; }
  /// Returns the points of a block that lie in the dataset.
  Piece points_in(Index block) const;
  /// Returns the points that the bytes of a block represent: points_in() and, for chunks, the
  /// padding beyond the edges of the dataset.
  Piece stored_in(Index block) const;
  /// Position of the block in the file, in bytes from the first point of the dataset. @pre the
  /// blocks are not packed but stored consecutively
  Index offset(Index block) const;
  /// Returns the smallest n such that a block ends after every n indices of the adjacent axes
  /// `axes`, counted in row-major order. @pre all axes in front of `axes` have one point
  Index whole_rows(const Interval& axes) const;
  /// Numbers of the blocks that a hyperslab intersects, ascending.
  std::vector<Index> touched_by(const Piece& slab) const;

 private:
  std::vector<Index> first_of(Index block) const;

  std::vector<Index> dims_, unit_, blocks_;  ///< blocks_: number of blocks along each axis
  Index size_ = 1, unit_points_ = 1, element_bytes_ = 1, parts_ = 1;
  bool is_padded_ = false;
};

/// Returns the blocks of an output.
BlockGrid grid_of(const OutputSpec& spec);

/// Returns the range of bytes of all blocks in a file. @pre not packed
///
/// @param first_byte  offset of the dataset in the file
Interval bytes_of_points(const BlockGrid& grid, Index first_byte);

/// Points of one rank that belong to one block.
struct BlockPart {
  Index block = 0;
  std::size_t slab = 0;  ///< index of the rank's hyperslab that contains the points
  Piece piece;
};

/// Returns the intersection of two hyperslabs. @pre the intersection is not empty
Piece common_part(const Piece& a, const Piece& b);

}  // namespace stencil::storage
