#pragma once

#include "kernels/cpu/row_kernels.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Renormalizes the sums of a transform over valid points. The inputs are transformed with 0 for
/// missing points. A second transform, of 1 for valid and 0 for missing inputs, gives the sum of
/// the valid taps, apart from rounding. If the taps have both signs, a third transform sums their
/// absolute values.
///
/// The number of valid inputs under each output is counted in integers, so nothing is rounded if
/// all inputs or none are valid. Outputs whose results are sensitive to rounding are summed
/// directly:
/// - outputs whose share of the mask's weight (the sum of its absolute taps) is within `tolerance`
///   of the threshold below which an output is missing;
/// - outputs whose valid taps add up to less than least_share of the weight, because errors are
///   divided by this sum.
template <class T>
class FftValid {
 public:
  /// @param stencil  a stencil without min_valid needs no counts and no rescaling
  explicit FftValid(const Stencil<T>& stencil);

  /// Returns whether missing points are left out.
  bool wanted() const { return wanted_; }
  /// Returns whether taps have both signs, so that the share of the weight needs a separate
  /// transform.
  bool mixed() const { return mixed_; }
  /// Returns whether a renormalized sum without missing points equals the ordinary sum. Returns
  /// false if the taps sum to 0, because the renormalized sum is then NaN.
  bool keeps_whole() const { return total_ < 0 || total_ > 0; }

  /// Counts the valid inputs under the mask of every output.
  ///
  /// @param marks   `[rows + height - 1, columns + width - 1]`: 1 where an input is valid, else 0
  /// @param counts  `[rows, columns]`, followed by `columns + width - 1` elements for temporary
  ///                values
  void count(const T* marks, Index pitch, Index rows, Index columns, int* counts) const;

  /// Rescales one row of outputs.
  ///
  /// @param sums    sums of the valid inputs; replaced by the results
  /// @param valid   correlation of the marks with the mask; overwritten
  /// @param shares  for taps of both signs: correlation of the marks with the absolute values of
  ///                the mask; overwritten
  /// @param counts  counts of this row
  /// @param asked   one element for each `cell` outputs: set to 1 if some of them must be summed
  ///                directly
  void rescale(const RowKernels<T>& kernels, T* sums, T* valid, T* shares, const int* counts,
               Index columns, unsigned char* asked, Index cell) const;

 private:
  bool wanted_, mixed_;
  Index height_, width_;  ///< sides of the mask; 1D masks are treated as masks along x
  T total_;               ///< sum of the taps, added in double precision, unlike Weights::total
  T weight_, threshold_, tolerance_, least_;
};

}  // namespace stencil::cpu
