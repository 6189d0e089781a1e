#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Renormalizes the sums of a transform: beside its inputs with 0 for missing points, ones and
/// zeros that tell which inputs are valid are transformed, which gives the sum of the valid taps,
/// and where taps have both signs of their absolute values, but for rounding.
///
/// Under how many valid inputs an output lies is counted in whole numbers, so where none or all are
/// valid nothing rounds. What rounding could decide is left to the direct sum: outputs whose share
/// of the mask's weight is within `tolerance` of the threshold below which an output is missing,
/// and those that are not missing, but whose valid taps add up to less than least_share of the
/// weight, by which errors would be divided.
template <class T>
class FftValid {
 public:
  /// @param stencil  without min_valid nothing is counted or rescaled
  explicit FftValid(const Stencil<T>& stencil);

  /// Whether missing points are left out at all.
  bool wanted() const { return wanted_; }
  /// Whether taps have both signs, so that the share of the weight is a transform of its own.
  bool mixed() const { return mixed_; }
  /// Whether a sum that misses nothing is the plain sum: it is NaN where the taps sum to 0.
  bool keeps_whole() const { return total_ < 0 || total_ > 0; }

  /// Counts the valid inputs under the mask of every output.
  ///
  /// @param marks   `[rows + height - 1, columns + width - 1]`: 1 where an input is valid, else 0
  /// @param counts  `[rows, columns]`, and behind them `columns + width - 1` places to work in
  void count(const T* marks, Index pitch, Index rows, Index columns, int* counts) const;

  /// Rescales one row of outputs.
  ///
  /// @param sums    of the valid inputs; the results
  /// @param valid   the marks by the mask; changed
  /// @param shares  mixed: the marks by the mask's absolute values; changed
  /// @param counts  of this row
  /// @param asked   one for each `cell` outputs: becomes 1 where some have to be summed directly
  void rescale(const RowKernels<T>& kernels, T* sums, T* valid, T* shares, const int* counts,
               Index columns, unsigned char* asked, Index cell) const;

 private:
  bool wanted_, mixed_;
  Index height_, width_;  ///< of the mask; 1D masks lie along x, as their lines do
  T total_;  ///< of the taps, without the roundings of a walk (Weights), which transforms lack
  T weight_, threshold_, tolerance_, least_;
};

}  // namespace stencil::cpu
