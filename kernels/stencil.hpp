#pragma once

#include <array>
#include <optional>
#include <vector>

#include "kernels/fft/fft_plan.hpp"
#include "kernels/fft/fft_tile_plan.hpp"
#include "kernels/mask.hpp"

namespace stencil {

/// How the sum over a mask is walked.
enum class Method {
  direct,     ///< every tap of the mask, in row-major order
  separable,  ///< rows with the row factor, then columns with the column factor; also sums of such
  fft,        ///< overlap-save, by blocks or tiles that are anchored to the whole axes
};

/// What a kernel computes, the same on every processor; processors differ only in the order in
/// which outputs are computed. All sums start from +0 and add taps in the order given with one
/// fused multiply-add per tap, so the bits of an output do not depend on tiles, threads, vector
/// width or the size of the view. Every NaN written is the same quiet NaN. Separable sums add the
/// row, then the column. A sum of several separable terms is one sum: for every row j of the mask
/// it adds the row sums of term 0, of term 1, ..., each times column[k * height + j] with one fused
/// multiply-add. Separable sums over three axes compute such a column sum for every plane and term,
/// rounded to T, and then one sum of these: for every plane j of the mask it adds that of term 0,
/// of term 1, ..., each times plane[k * depth + j]. With Method::fft the bits of an output depend
/// only on the inputs of its pair of blocks (FftBlocks) or of its tile (FftTiles). Pairs that hold
/// NaN or Inf, or that overflow, are summed directly; in such a tile the cells (fft_cell_rows) that
/// NaN or Inf reach are summed directly, or all cells if it overflows. Transforms of a mask of
/// three axes are those of its planes, each with the tiles of a plane of inputs, and are summed
/// over the planes before the inverse transform. For tiles with missing points that are left out
/// see FftTileValid.
template <class T>
struct Stencil {
  Method method = Method::direct;
  bool multiply_zeros = true;  ///< see Mask
  Index height = 1, width = 1;
  Index depth = 1;                    ///< above 1: a mask of three axes
  std::vector<T> taps;                ///< direct: `[depth, height, width]`, row-major
  Index terms = 1;                    ///< separable: how many are summed, 1 to most_terms
  std::vector<T> column, row;         ///< separable: `[terms, height]` and `[terms, width]`
  std::vector<T> plane;               ///< separable, three axes: `[terms, depth]`
  std::array<Index, 2> stride{1, 1};  ///< {y, x}
  Index plane_stride = 1;             ///< along batch, of a mask of three axes
  /// Missing points are NaN. Without a value NaN follows IEEE arithmetic. With a value the sums
  /// include the valid points only, times sum(M) / sum(M over valid points). If the valid points
  /// have less than this share of sum(|M|), or there are none, or their taps sum to 0, the output
  /// is NaN.
  std::optional<double> min_valid;
  std::optional<FftPlan<T>> fft;            ///< fft, 1D masks: blocks and the mask's spectrum
  std::optional<FftTilePlan<T>> fft_tiles;  ///< fft, other masks: tiles and the mask's spectrum
};

/// Most separable terms that a sum may have.
inline constexpr Index most_terms = 3;

/// @throws ShapeError  a mask too large
void require_fft_possible(const Mask& mask);

/// Rounds a mask to T and binds it to a method.
///
/// @param blocks  fft, 1D masks: the blocks of the axis; without points they are chosen for a long
///                axis
/// @param tiles   fft, masks of two and three axes: the tiles (choose_fft_tiles)
/// @param tables  of Method::fft, which take longer than all other work
/// A mask of three axes has a stride of 1 along batch until Stencil::plane_stride is set.
///
/// @throws ShapeError  separable requested for a mask without factors, or for several terms with
///                     min_valid or with taps of 0 that are skipped; min_valid outside [0, 1], or
///                     given and the taps sum to 0 (within rounding), so that no rescaling exists;
///                     a stride below 1; a tap too large for T; fft requested for a mask that is
///                     too large, or for a 2D mask without tiles.
template <class T>
Stencil<T> make_stencil(const Mask& mask, Method method, std::array<Index, 2> stride,
                        std::optional<double> min_valid, const FftBlocks& blocks = {},
                        const FftTiles& tiles = {}, FftTables tables = FftTables::made);

/// Position of a view of outputs along the mask's axis, of a 2D mask along x and y. Only fft uses
/// it: its blocks are anchored to the whole axis.
struct Anchor {
  Index first_output = 0;  ///< index of the view's first output
  Index axis_outputs = 0;  ///< of the whole axis; 0: it ends with the view
  Index first_row = 0;     ///< 2D masks: index of the view's first row
  Index rows = 0;          ///< 2D masks: of the whole axis; 0: it ends with the view
};

}  // namespace stencil
