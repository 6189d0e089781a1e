#pragma once

#include "kernels/fft_tiles.hpp"

namespace stencil::cpu {

/// Which cells of a tile's outputs NaN and Inf reach. A cell is reached as a whole or not at all,
/// whatever part of the tile is asked for.
class FftTileReach {
 public:
  explicit FftTileReach(const FftTiles& tiles)
      : tiles_(tiles),
        rows_((tiles.y.outputs() + fft_cell_rows - 1) / fft_cell_rows),
        columns_((tiles.x.outputs() + fft_cell_columns - 1) / fft_cell_columns) {}

  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index cells() const { return rows_ * columns_; }
  /// Elements of the counts that `clean` works with.
  Index counts() const { return (rows_ + 1) * (columns_ + 1); }

  /// Makes every NaN and Inf of a tile's inputs 0, and marks the cells under whose mask they lie.
  ///
  /// @param inputs   `[y.points, x.points]`, `pitch` elements from row to row
  /// @param counts   temporary
  /// @param reached  `[rows(), columns()]`: 1 or 0
  template <class T>
  void clean(T* inputs, Index pitch, int* counts, unsigned char* reached) const;

 private:
  void count(Index row, Index column, int* counts) const;

  FftTiles tiles_;
  Index rows_, columns_;
};

}  // namespace stencil::cpu
