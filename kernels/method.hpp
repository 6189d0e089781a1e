#pragma once

#include <string>
#include <vector>

#include "kernels/stencil.hpp"

namespace stencil {

/// One way to sum a mask, and the taps of a direct sum in registers that take as long for one
/// output.
struct MethodCost {
  std::string method;  ///< in the words of to_string
  double taps = 0;
};

/// What was chosen for a mask, and why.
struct MethodChoice {
  Method method = Method::direct;
  Mask mask;             ///< the mask with factors filled in where method is separable
  double error = 0;      ///< largest |factors - tap| over the largest |tap|; 0 for direct
  std::string reason{};  ///< `rank 1 within 1e-17 of the mask, 10 instead of 25 taps a point`
  FftBlocks blocks{};    ///< fft, 1D masks: how the axis is cut
  FftTiles tiles{};      ///< fft, 2D masks: how the axes are cut
  double fft_taps = 0;   ///< fft: taps of a direct sum that take as long as one output

  std::vector<MethodCost> costs{};  ///< automatic: the ways that were compared

  /// How many columns times rows are summed; 0 where the method is not separable.
  Index separable_terms() const {
    return method == Method::separable && mask.factors ? mask.factors->terms : 0;
  }
};

enum class MethodRequest { automatic, direct, separable, fft };

/// `direct`, `separable` or `fft`
std::string to_string(Method method);

/// The same, with the number of terms where there are several: `sum of 2 separable`.
std::string to_string(const MethodChoice& choice);

/// The properties of the input that decide the method. They describe the whole world, so that the
/// number of ranks does not change the choice.
struct MethodSite {
  Index axis_outputs = 0;     ///< along the mask's axis; 0: unknown, and fft only if asked for
  Index stride = 1;           ///< along this axis; of a 2D mask that of both axes multiplied
  Index lines = 1;            ///< that the mask runs along
  bool renormalizes = false;  ///< missing points are left out, which fft cannot
  bool has_tiles = true;      ///< whether the processor has transforms of 2D masks
  /// Of a 2D mask, before striding; without outputs: unknown, and fft only if asked for.
  FftTileWorld world{};
};

/// Finds out whether a 2D mask is an outer product (its largest tap's column times its row gives
/// every tap back within 4 eps of the compute type, and all of them together within half of what a
/// direct sum may cost, w eps sum|M|; the same taps are exactly 0) and whether using it pays:
/// `height + width` has to be less than the taps that the direct sum multiplies. The factors are a
/// row and a column of the mask itself; masks of integers keep integer factors. Factors that the
/// mask already has are used as they are. 1D masks are direct, or fft where the transforms cost
/// less than the taps and the whole is worth a plan; masks of zeros are direct.
///
/// Last, a 2D mask is summed by fft where that costs less than what was chosen so far: taps count
/// as much as they take longer than multiply-adds alone, the transforms as fft_cost_in_taps says.
///
/// A mask of rank 2 or 3 may be a sum of so many outer products (each the cross through the largest
/// tap of what those before it leave over), where
/// - the sum gives the taps back as one product has to;
/// - the terms hardly cancel: sum_k |column_k| |row_k| is at most twice sum|M|. Rounding factors
///   and sums then costs at most 2 (w + terms h + 2) eps sum|M| max|N|, with what the taps are off
///   within the (2 h w + 4) eps of a direct sum where the terms save taps;
/// - no tap of 0 is skipped: several terms can only add to 0, not leave a point out;
/// - outputs are neither strided nor renormalized (strided if asked for);
/// - masks of integers keep integer factors, so that sums of integers are exact (unless asked for);
/// - it saves taps; if not asked for, more than 2.3 times.
///
/// @param precision_eps  machine epsilon of the compute type
/// @throws ShapeError    separable was asked for and the mask is no such sum: the message says why,
///                       and gives rank and singular values; fft was asked for and the mask is too
///                       large, missing points are left out, or the processor cannot.
MethodChoice choose_method(const Mask& mask, MethodRequest request, double precision_eps,
                           const MethodSite& site = {});

}  // namespace stencil
