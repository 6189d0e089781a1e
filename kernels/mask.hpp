#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

template <class T>
struct PerAxis;  // kernels/families/mask_families.hpp

/// An array of taps in double precision, row-major `[depth, height, width]`.
struct Taps {
  Index height = 1;  ///< along y
  Index width = 1;   ///< along x
  std::vector<double> values;
  Index depth = 1;  ///< along batch; above 1 only for masks of three axes

  double at(Index y, Index x) const { return values[y * width + x]; }  ///< tap of the first plane
  /// Number of taps, zeros included.
  Index count() const { return depth * height * width; }
};

/// 1D masks whose outer product is a 2D mask: `taps[y][x] = column[y] * row[x]`. There may be
/// several terms, whose outer products are summed:
///
///     taps[y][x] = sum_k column[k * height + y] * row[k * width + x]
///
/// In a mask of three axes every term also has a factor along batch.
struct Factors {
  std::vector<double> column;  ///< along y, `[terms, height]`
  std::vector<double> row;     ///< along x, `[terms, width]`
  Index terms = 1;
  std::vector<double> plane{};  ///< along batch, `[terms, depth]`; empty for masks of two axes
};

/// A mask with its centre. Masks are correlated with the input without flipping: `output[i] = sum_j
/// taps[j] * input[i - centre + j]`. flipped() makes the mask of a convolution.
///
/// The static functions below make masks; a default-constructed Mask has no taps, and no function
/// accepts it. line(), grid(), volume() and outer() take taps. Each of the other functions makes
/// the masks of a family of filters. Its arguments are declared in
/// kernels/families/mask_families.hpp and have the names of the keys of a configuration
/// (docs/configuration.md). With equal values, the taps have the same bits as in the program.
/// Families that SciPy has as well use its taps, arguments and defaults.
///
/// All of them throw a ShapeError that names the argument, with its value, if an argument is out of
/// range, a tap is not a finite number, or there would be more than 2^24 taps.
struct Mask {
  // without this constructor, a list of numbers could initialize a mask without a centre
  Mask() = default;

  /// Taps along one axis, like the `weights` of scipy.ndimage.correlate1d.
  ///
  /// @param taps    at least one tap
  /// @param axis    the axis that the mask runs along: batch_axis, y_axis or x_axis
  /// @param origin  shift of the centre in points; the centre is tap `taps.size() / 2 + origin`
  static Mask line(std::vector<double> taps, Axis axis = x_axis, Index origin = 0);

  /// Taps along y and x, like the `weights` of scipy.ndimage.correlate.
  ///
  /// @param taps    `rows * columns` taps, row-major
  /// @param origin  {y, x}: shift of the centre in points; the centre is the tap in row `rows / 2 +
  ///                origin[0]` and column `columns / 2 + origin[1]`
  static Mask grid(std::vector<double> taps, Index rows, Index columns,
                   std::array<Index, 2> origin = {});
  static Mask grid(Taps taps, std::array<Index, 2> origin = {});
  /// A mask whose taps are given as rows of equal length: `Mask::grid({{0, 1, 0}, {1, -4, 1}, {0,
  /// 1, 0}})`.
  static Mask grid(std::initializer_list<std::initializer_list<double>> rows,
                   std::array<Index, 2> origin = {});

  /// Taps along batch, y and x, as the `weights` of scipy.ndimage.correlate for an array of three
  /// axes.
  ///
  /// @param taps    row-major `[depth, height, width]`
  /// @param origin  {batch, y, x}: shift of the centre in points; the centre is tap `extent / 2 +
  ///                origin` along each axis
  static Mask volume(Taps taps, std::array<Index, 3> origin = {});

  /// Taps along y and x that are the outer product of two lists: `column[i] * row[j]`. Such a mask
  /// needs `column.size() + row.size()` multiplications for each point.
  ///
  /// @param column, row  taps along y and along x, at least one each
  /// @param origin       see grid()
  static Mask outer(std::vector<double> column, std::vector<double> row,
                    std::array<Index, 2> origin = {});

  // Families. The arguments are written by name: `Mask::gaussian({.sigma = 2})`.
  struct Gaussian;
  struct Size;
  struct Disk;
  struct Annulus;
  struct LaplacianOfGaussian;
  struct DifferenceOfGaussians;
  struct Cutoff;
  struct Band;
  struct Matched;
  struct Savgol;

  /// A Gaussian, or a derivative of one: scipy.ndimage.gaussian_filter.
  static Mask gaussian(const Gaussian& arguments);
  /// Equal taps with the sum 1: scipy.ndimage.uniform_filter.
  static Mask box(const Size& arguments);
  /// A row of Pascal's triangle, divided by its sum; over two axes, the outer product of two such
  /// rows.
  static Mask binomial(const Size& arguments);
  /// Equal taps with the sum 1 within a radius, or within an ellipse.
  static Mask disk(const Disk& arguments);
  /// Equal taps with the sum 1 in a ring between an inner and an outer radius.
  static Mask annulus(const Annulus& arguments);
  /// The Laplacian of a Gaussian: scipy.ndimage.gaussian_laplace.
  static Mask log(const LaplacianOfGaussian& arguments);
  /// A Gaussian minus a Gaussian that is `ratio` times as wide.
  static Mask dog(const DifferenceOfGaussians& arguments);
  /// Second differences, summed over y and x, or along one axis: scipy.ndimage.laplace. The result
  /// is in the unit of the points divided by the square of the spacing of points.
  static Mask laplace(std::optional<Axis> axis = {});
  /// @param delta  spacing of points along each axis; second differences are divided by its square
  static Mask laplace(std::optional<Axis> axis, const PerAxis<double>& delta);
  /// The difference of the two neighbours along an axis, smoothed by 1 2 1 across it:
  /// scipy.ndimage.sobel.
  ///
  /// @param axis   y_axis or x_axis
  /// @param delta  spacing of points along the axis. If it is given, the mask is a derivative:
  ///               it is divided by delta times the sum of the absolute taps.
  static Mask sobel(Axis axis = x_axis, std::optional<double> delta = {});
  /// Like sobel(), but smoothed by 1 1 1: scipy.ndimage.prewitt.
  static Mask prewitt(Axis axis = x_axis, std::optional<double> delta = {});
  /// Finite impulse response filters by the window method along one axis: scipy.signal.firwin.
  static Mask lowpass(const Cutoff& arguments);
  static Mask highpass(const Cutoff& arguments);
  static Mask bandpass(const Band& arguments);
  static Mask bandstop(const Band& arguments);
  /// A matched filter along one axis: where the input is A times the pattern, the output is A.
  static Mask matched(const Matched& arguments);
  /// The value or a derivative of a polynomial fitted to the points around each point:
  /// scipy.signal.savgol_filter along one axis, except near its edges, for which see
  /// Stage::edge_fit.
  static Mask savgol(const Savgol& arguments);

  int rank = 1;        ///< number of axes that the mask runs along, 1 to 3
  Axis axis = x_axis;  ///< axis of a mask of rank 1; kernels treat batch as y
  /// In a mask of rank 1, `height` is 1 along x, and `width` is 1 along y and along batch.
  Taps taps;
  std::array<Index, 2> centre{};  ///< {y, x} of the tap that multiplies the input at the output's
                                  ///< position
  Index centre_plane = 0;         ///< plane of that tap, for masks of rank 3
  /// Factors of a mask that was made as an outer product (by outer(), gaussian(), box(), sobel(),
  /// ...). For other masks, choose_method() looks for factors.
  std::optional<Factors> factors;
  /// Whether a tap of exactly 0 is multiplied by its input, so that a NaN or an infinity under the
  /// tap reaches the output. SciPy multiplies such taps in correlate1d and skips them in correlate:
  /// masks of one axis and outer products multiply, other masks of two or three axes skip.
  bool multiply_zeros = true;
};

/// Largest number of taps for which an outer product stores the taps. If a mask has more taps, its
/// `taps.values` is empty, and the mask is summed by its factors only.
inline constexpr Index most_outer_taps = Index{1} << 20;

/// Largest number of taps of a mask of three axes.
inline constexpr Index most_volume_taps = Index{1} << 24;

/// Returns the mask of the convolution with the same taps and origin: all axes are flipped, and the
/// centre is moved as in scipy.ndimage.convolve, to `width - 1 - centre` (for an even width and
/// origin o, `width / 2 - 1 - o`).
Mask flipped(const Mask& mask);

/// Checks a mask whose members may have been set one by one.
/// @throws ShapeError  no taps, or taps, sides, a centre or an axis that contradict each other
void require_sound(const Mask& mask);

}  // namespace stencil
