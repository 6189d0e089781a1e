#pragma once

#include <array>
#include <optional>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// A 2D array of taps in double precision, row-major `[height, width]`.
struct Taps {
  Index height = 1;
  Index width = 1;
  std::vector<double> values;

  double at(Index y, Index x) const { return values[y * width + x]; }
};

/// 1D masks whose outer product is a 2D mask: `taps[y][x] = column[y] * row[x]`. Or several of
/// each, term after term, whose outer products are summed:
///
///     taps[y][x] = sum_k column[k * height + y] * row[k * width + x]
struct Factors {
  std::vector<double> column;  ///< along y, `[terms, height]`
  std::vector<double> row;     ///< along x, `[terms, width]`
  Index terms = 1;
};

/// A mask with its centre, as it is applied to the input: `P[i] = sum_j M[j] * N[i - centre + j]`.
/// A convolution is flipped before it gets here, so every Mask is correlated as it stands.
///
/// A 1D mask is a Taps of height 1 (along x) or of width 1 (along y, or along batch through a
/// transposed view). Masks are made by the functions below; a Mask by itself has no taps.
struct Mask {
  Mask() = default;  // so that no list of numbers becomes a mask without a centre

  int rank = 1;        ///< 1 or 2, as the user gave it
  Axis axis = x_axis;  ///< of a 1D mask; kernels know x and y only, and see batch as y
  Taps taps;
  std::array<Index, 2> centre{};  ///< tap on the point itself, {y, x}
  /// Set where the mask was made as an outer product (gaussian, box, sobel ...); else found by
  /// choose_method.
  std::optional<Factors> factors;
  /// Whether a tap of exactly 0 is still multiplied by its input, so that NaN and Inf under it
  /// reach the output. SciPy multiplies in correlate1d and skips in correlate: 1D masks and
  /// families made of 1D passes multiply, 2D masks given as taps skip.
  bool multiply_zeros = true;
};

/// 1D mask as written, correlate; `centre = taps / 2 + origin` as scipy.ndimage.correlate1d.
///
/// @param axis  that it runs along
/// @throws ShapeError  no taps, a tap that is not finite, or an origin that puts the centre outside
///                     the mask; the same for the makers below.
Mask make_mask_1d(std::vector<double> taps, Index origin = 0, Axis axis = x_axis);

/// 2D mask as written, correlate; `centre = extent / 2 + origin` per axis as
/// scipy.ndimage.correlate.
/// @param origin {y, x}
Mask make_mask_2d(Taps taps, std::array<Index, 2> origin = {});

/// 2D mask as the outer product of two 1D masks; keeps the factors. Beyond `most_outer_taps` the
/// taps themselves are not written out (`taps.values` is empty): such a mask is summed by its
/// factors only.
/// @pre one term
inline constexpr Index most_outer_taps = Index{1} << 20;
Mask make_mask_outer(Factors factors, std::array<Index, 2> origin = {});

/// The mask of the convolution with the same taps and origin: both axes flipped, the centre moved
/// as scipy.ndimage.convolve does (`width - 1 - centre`, which for an even width and origin o is
/// `width / 2 - 1 - o`).
Mask flipped(const Mask& mask);

/// Checks a mask whose members may have been set one by one.
/// @throws ShapeError  no taps, or numbers of them, a centre or an axis that do not fit each other
void require_sound(const Mask& mask);

}  // namespace stencil
