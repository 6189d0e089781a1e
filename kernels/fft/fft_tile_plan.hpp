#pragma once

#include <vector>

#include "kernels/fft/fft_sixteen.hpp"
#include "kernels/fft/fft_tiles.hpp"

namespace stencil {

/// Everything that is computed once for one mask and one size of tiles, in double precision,
/// then rounded to T, which keeps the bound of the rounding error (docs/stencils.md).
///
/// Row y of the transform of a tile holds row y of the tile as real part and row `y + rows()` as
/// imaginary part, times `weights[y] = exp(pi i y / (2 rows()))`. The transform then correlates the
/// real tile with the real mask as if the last row were followed by the first row negated; this
/// affects only outputs that the tile does not give. Along y and then along x the transform is that
/// of FftPlan's sequences: frequencies stay permuted, and the mask's spectrum is permuted in the
/// same way.
template <class T>
struct FftTilePlan {
  FftTiles tiles;
  /// 8 or 4 each, of the passes from the largest to the smallest part; the last one is 8.
  std::vector<int> row_radices{}, column_radices{};  ///< along x, along y
  std::vector<T> row_twiddles{}, column_twiddles{};  ///< twiddles_of
  std::vector<T> weights{};                          ///< real and imaginary part, row by row
  /// `conj(transform of the taps) / points`: of the 16 frequencies along y whose places begin with
  /// 16 k, at place x along x, in element `k * x.points + x`; of plane j of a mask of several
  /// planes in element `(k * x.points + x) * depth + j`.
  std::vector<FftSixteen<T>> spectrum{};
  /// That of the taps' absolute values, where missing points are left out by taps of both signs.
  std::vector<FftSixteen<T>> absolute{};

  Index rows() const { return tiles.y.points / 2; }
  /// Keeps tiles and radices alone, where the tables are elsewhere.
  void drop_tables() {
    row_twiddles = {}, column_twiddles = {}, weights = {}, spectrum = {}, absolute = {};
  }
};

/// @param taps  `[tiles.depth, height, width]`, row-major
template <class T>
FftTilePlan<T> make_fft_tile_plan(const std::vector<T>& taps, const FftTiles& tiles);

}  // namespace stencil
