#pragma once

#include "kernels/fft/fft_tiles.hpp"

namespace stencil::cpu {

/// Finds the cells of a tile's outputs that depend on NaN and Inf. The cells are the same whichever
/// part of the tile is requested.
class FftTileReach {
 public:
  /// @param cell_rows, cell_columns  rows and columns of outputs of a cell
  explicit FftTileReach(const FftTiles& tiles, Index cell_rows = fft_cell_rows,
                        Index cell_columns = fft_cell_columns)
      : tiles_(tiles),
        cell_rows_(cell_rows),
        cell_columns_(cell_columns),
        rows_((tiles.y.outputs() + cell_rows - 1) / cell_rows),
        columns_((tiles.x.outputs() + cell_columns - 1) / cell_columns) {}

  Index cell_rows() const { return cell_rows_; }
  Index cell_columns() const { return cell_columns_; }
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index cells() const { return rows_ * columns_; }
  /// Number of elements of the counts, the temporary memory of clean().
  Index counts() const { return (rows_ + 1) * (columns_ + 1); }

  /// Sets every NaN and Inf of a tile's inputs to 0, and marks the cells whose outputs depend on
  /// them.
  ///
  /// @param inputs   `[y.points, x.inputs()]`, without the lead; rows are `pitch` elements apart
  /// @param counts   temporary memory of counts() elements
  /// @param reached  `[rows(), columns()]`: 1 if the cell depends on NaN or Inf, else 0
  template <class T>
  void clean(T* inputs, Index pitch, int* counts, unsigned char* reached) const;

 private:
  void count(Index row, Index column, int* counts) const;

  FftTiles tiles_;
  Index cell_rows_, cell_columns_;
  Index rows_, columns_;
};

}  // namespace stencil::cpu
