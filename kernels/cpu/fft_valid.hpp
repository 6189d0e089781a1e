#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Renormalizes the sums of a transform. The inputs are transformed with 0 for missing points. Ones
/// for valid and zeros for missing inputs are transformed as well, which gives the sum of the valid
/// taps, apart from rounding. If the taps have both signs, their absolute values are summed in the
/// same way.
///
/// The number of valid inputs under each output is counted in integers, so nothing is rounded where
/// no or all inputs are valid. Outputs that rounding could decide are summed directly: outputs
/// whose share of the mask's weight is within `tolerance` of the threshold below which an output is
/// missing, and outputs whose valid taps add up to less than least_share of the weight, because
/// their errors would be divided by it.
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
  /// @param counts  `[rows, columns]`, followed by `columns + width - 1` places for
  ///                 temporary values
  void count(const T* marks, Index pitch, Index rows, Index columns, int* counts) const;

  /// Rescales one row of outputs.
  ///
  /// @param sums    the sums of the valid inputs; replaced by the results
  /// @param valid   the marks correlated with the mask; changed
  /// @param shares  mixed signs: the marks correlated with the mask's absolute values; changed
  /// @param counts  the counts of this row
  /// @param asked   one for each `cell` outputs: set to 1 if some have to be summed directly
  void rescale(const RowKernels<T>& kernels, T* sums, T* valid, T* shares, const int* counts,
               Index columns, unsigned char* asked, Index cell) const;

 private:
  bool wanted_, mixed_;
  Index height_, width_;  ///< of the mask; 1D masks lie along x, as their lines do
  T total_;  ///< of the taps, without the roundings of a walk (Weights), which transforms lack
  T weight_, threshold_, tolerance_, least_;
};

}  // namespace stencil::cpu
