#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Renormalizes a tile by two transforms: of its inputs with 0 for missing points, and of ones and
/// zeros that tell which inputs are valid, which gives the sum of the valid taps but for rounding.
///
/// Under how many valid inputs an output lies is counted in whole numbers, so where none or all are
/// valid nothing rounds. What rounding could decide is left to the direct sum: outputs with less
/// than least_share of the mask's weight, by which errors would be divided, and those within
/// `tolerance` of the threshold below which an output is missing.
template <class T>
class FftTileValid {
 public:
  /// @param stencil  fft_may_renormalize; without min_valid nothing is called
  explicit FftTileValid(const Stencil<T>& stencil);

  /// Elements of the counts of one tile.
  static Index counts(const FftTiles& tiles) { return tiles.y.outputs() * tiles.x.outputs(); }

  /// Counts the valid inputs under the mask of every output.
  ///
  /// @param marks   `[y.points, x.inputs()]`, behind the lead: 1 where an input is valid, else 0
  /// @param counts  `[y.outputs, x.outputs]`
  void count(const T* marks, Index pitch, int* counts) const;

  /// Rescales one row of outputs.
  ///
  /// @param sums    of the valid inputs; the results
  /// @param shares  transforms of the marks; changed
  /// @param counts  of this row
  /// @param asked   one for each `cell` outputs: becomes 1 where some have to be summed directly
  void rescale(const RowKernels<T>& kernels, T* sums, T* shares, const int* counts,
               unsigned char* asked, Index cell) const;

 private:
  FftTiles tiles_;
  T total_, threshold_, tolerance_, least_;
  bool tells_little_;  ///< outputs of little weight are not missing
};

}  // namespace stencil::cpu
