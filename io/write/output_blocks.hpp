#pragma once

#include <vector>

#include "io/hdf5/pieces.hpp"

namespace stencil::storage {

/// The blocks that an output is written in: each is one run of bytes of the file, and each is
/// written at once, by one rank. Blocks of a chunked dataset are its chunks, whole also at the
/// upper edges, where zeros stand beyond the last point; a contiguous dataset falls into whole rows
/// of about 1 MiB. Blocks have numbers in row-major order. Pure arithmetic.
class BlockGrid {
 public:
  /// @param dims   of the dataset, slowest axis first
  /// @param chunk  per axis; empty for a contiguous dataset
  BlockGrid(const std::vector<Index>& dims, const std::vector<Index>& chunk, Index element_bytes);

  /// Number of blocks.
  Index size() const { return size_; }
  Index element_bytes() const { return element_bytes_; }
  /// Bytes of the largest block.
  Index most_bytes() const { return unit_points_ * element_bytes_; }
  /// The points of a block that the dataset has.
  Piece points_in(Index block) const;
  /// The points that the bytes of a block hold: those of points_in, and in chunks those beyond the
  /// edge of the dataset.
  Piece stored_in(Index block) const;
  /// Where the block begins in the file, in bytes from the first point of the dataset: chunks that
  /// are not packed lie one behind the other.
  Index offset(Index block) const;
  /// Numbers of the blocks that a hyperslab has points in, ascending.
  std::vector<Index> touched_by(const Piece& slab) const;

 private:
  std::vector<Index> first_of(Index block) const;

  std::vector<Index> dims_, unit_, blocks_;  ///< blocks_: how many along each axis
  Index size_ = 1, unit_points_ = 1, element_bytes_ = 1;
  bool is_padded_ = false;
};

/// The common part of two hyperslabs that meet.
Piece common_part(const Piece& a, const Piece& b);

}  // namespace stencil::storage
