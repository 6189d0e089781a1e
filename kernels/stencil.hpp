#pragma once

#include <array>
#include <optional>
#include <vector>

#include "framework/grid/shape.hpp"
#include "kernels/fft/fft_plan.hpp"
#include "kernels/fft/fft_tile_plan.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// Method by which the sum over a mask is computed.
enum class Method {
  direct,     ///< one sum over all taps of the mask, in row-major order
  separable,  ///< the row factor along x, then the column factor along y; or a sum of such terms
  fft,        ///< overlap-save, in blocks or tiles that are anchored to the whole axes
};

/// Specifies the results of a kernel, which are the same on every processor. Processors differ only
/// in the order in which outputs are computed. All sums start from +0 and add the products with the
/// taps in a given order, with one fused multiply-add per tap, so the bits of an output do not
/// depend on tiles, threads, vector width or the size of the view. Every NaN written is the same
/// quiet NaN. Separable sums are computed with the row factor, then with the column factor. A sum
/// of several separable terms is one sum: for every row j of the mask it adds the row sums of term
/// 0, of term 1, ..., each times column[k * height + j] with one fused multiply-add. Separable sums
/// over three axes compute such a column sum for every plane and term, rounded to T, and then one
/// sum of these column sums: for every plane j of the mask it adds the column sum of term 0, of
/// term 1, ..., each times plane[k * depth + j]. With Method::fft the bits of an output depend only
/// on the inputs of its pair of blocks (FftBlocks) or of its tile (FftTiles). A pair that contains
/// NaN or Inf, or whose transform overflows, is summed directly. In a tile that contains NaN or
/// Inf, the cells (fft_cell_rows) that depend on NaN or Inf are summed directly. If the transform
/// of a tile overflows, all of its cells are summed directly. For a mask of three axes, each plane
/// of the mask and each tile of a plane of inputs are transformed, and the products are summed over
/// the planes before the inverse transform. For tiles with missing points that are left out, see
/// kernels/cpu/fft_valid.hpp.
template <class T>
struct Stencil {
  Method method = Method::direct;
  bool multiply_zeros = true;  ///< see Mask
  Index height = 1, width = 1;
  Index depth = 1;                    ///< above 1: a mask of three axes
  std::vector<T> taps;                ///< direct: `[depth, height, width]`, row-major
  Index terms = 1;                    ///< separable: number of terms, 1 to most_terms
  std::vector<T> column, row;         ///< separable: `[terms, height]` and `[terms, width]`
  std::vector<T> plane;               ///< separable, three axes: `[terms, depth]`
  std::array<Index, 2> stride{1, 1};  ///< {y, x}
  Index plane_stride = 1;             ///< stride along batch, for masks of three axes
  /// Least share of sum(|M|) that the valid points must have, M being the taps; missing points are
  /// NaN. Without a value, NaN follows IEEE arithmetic. With a value, the sum includes only the
  /// valid points and is multiplied by sum(M) / sum(M over valid points). The output is NaN if the
  /// share is smaller, if no point is valid, or if the taps of the valid points sum to 0.
  std::optional<double> min_valid;
  std::optional<FftPlan<T>> fft;            ///< fft, 1D masks: blocks and the mask's spectrum
  std::optional<FftTilePlan<T>> fft_tiles;  ///< fft, other masks: tiles and the mask's spectrum
};

/// Largest number of separable terms of a sum.
inline constexpr Index most_terms = 3;

/// Checks that a mask can be summed with Method::fft.
/// @throws ShapeError  the mask is too large for transforms, or has three axes with only one row or
///                     one column in each plane
void require_fft_possible(const Mask& mask);

/// Rounds the taps of a mask to T and binds the mask to a method. A mask of three axes has a stride
/// of 1 along batch until Stencil::plane_stride is set.
///
/// @param blocks  fft, 1D masks: the blocks of the axis; without points they are chosen for a long
///                axis
/// @param tiles   fft, masks of two and three axes: the tiles (choose_fft_tiles)
/// @param tables  which tables of Method::fft to compute; computing them takes longer than all
///                other work
///
/// @throws ShapeError  separable requested for a mask without factors, or for several terms with
///                     min_valid or with taps of 0 that are skipped; min_valid outside [0, 1], or
///                     given although the taps nearly cancel (|sum(M)| below 1 % of sum(|M|)), so
///                     that rescaling would amplify noise; a stride below 1; a tap too large for T;
///                     fft requested for a mask that require_fft_possible() rejects, or without
///                     tiles for a mask of two or three axes
template <class T>
Stencil<T> make_stencil(const Mask& mask, Method method, std::array<Index, 2> stride,
                        std::optional<double> min_valid, const FftBlocks& blocks = {},
                        const FftTiles& tiles = {}, FftTables tables = FftTables::made);

/// Position of a view of outputs along the mask's axis or, for a 2D mask, along x and y. Transforms
/// use this position, because their blocks are anchored to the whole axis.
struct Anchor {
  Index first_output = 0;  ///< index of the view's first output
  Index axis_outputs =
      0;                ///< number of outputs of the whole axis; if 0, the axis ends with the view
  Index first_row = 0;  ///< 2D masks: index of the view's first row
  Index rows = 0;       ///< 2D masks: rows of the whole axis; if 0, the axis ends with the view
  Point first{};        ///< index of the view's first output along batch, y and x of the world
};

}  // namespace stencil
