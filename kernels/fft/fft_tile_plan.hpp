#pragma once

#include <vector>

#include "kernels/fft/fft_sixteen.hpp"
#include "kernels/fft/fft_tiles.hpp"

namespace stencil {

/// The tables that are computed once for one mask and one size of tiles. They are computed in
/// double precision and rounded to T, so that the bound of the rounding error in docs/stencils.md
/// holds.
///
/// Row y of the transform of a tile has row y of the tile as real part and row `y + rows()` as
/// imaginary part, multiplied by `weights[y] = exp(pi i y / (2 rows()))`. The transform then
/// correlates the real tile with the real mask as if the last row were followed by the first row
/// with its sign changed; this affects only outputs that are discarded. Along y and then along x
/// the transform is that of FftPlan's sequences: frequencies remain permuted, and the mask's
/// spectrum is permuted in the same way.
template <class T>
struct FftTilePlan {
  FftTiles tiles;
  /// Radices, 8 or 4, of the passes from the largest to the smallest part; the last is 8.
  std::vector<int> row_radices{}, column_radices{};  ///< along x, along y
  std::vector<T> row_twiddles{}, column_twiddles{};  ///< twiddles_of
  std::vector<T> weights{};                          ///< real and imaginary part, row by row
  /// `conj(transform of the taps) / points`. Each element has 16 frequencies, at the positions 16 k
  /// ... 16 k + 15 along y and at position x along x. The index of this element is `k * x.points +
  /// x`; for plane j of a mask of several planes, it is `(k * x.points + x) * depth + j`.
  std::vector<FftSixteen<T>> spectrum{};
  /// Spectrum of the absolute values of the taps; used for missing points if taps have both signs.
  std::vector<FftSixteen<T>> absolute{};

  Index rows() const { return tiles.y.points / 2; }
  /// Deletes the tables and keeps tiles and radices, after the tables have been copied elsewhere.
  void drop_tables() {
    row_twiddles = {}, column_twiddles = {}, weights = {}, spectrum = {}, absolute = {};
  }
};

/// @param taps  `[tiles.depth, height, width]`, row-major
template <class T>
FftTilePlan<T> make_fft_tile_plan(const std::vector<T>& taps, const FftTiles& tiles);

}  // namespace stencil
