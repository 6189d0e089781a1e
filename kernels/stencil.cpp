#include "kernels/stencil.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

template <class T>
std::vector<T> rounded(const std::vector<double>& taps) {
  std::vector<T> result(taps.size());
  for (std::size_t k = 0; k < taps.size(); ++k) {
    result[k] = T(taps[k]);
    if (std::isfinite(result[k])) continue;
    throw ShapeError(
        fmt::format("tap {} of the mask is {}, too large for float32: scale the mask "
                    "or use precision = float64",
                    k, taps[k]));
  }
  return result;
}

void check_stride(const std::array<Index, 2>& stride) {
  if (stride[0] >= 1 && stride[1] >= 1) return;
  throw ShapeError(
      fmt::format("stride = {} {} must be 1 or more along each axis", stride[0], stride[1]));
}

/// Refuses masks whose taps nearly cancel, such as derivatives and band-passes: division by the sum
/// of their taps over valid points would amplify noise.
void check_min_valid(const Mask& mask, double min_valid) {
  if (!(min_valid >= 0 && min_valid <= 1)) {
    throw ShapeError(fmt::format("min_valid = {} must be 0 to 1", min_valid));
  }
  constexpr double least_share = 0.01;
  double sum = 1, absolute = 1;
  const auto times_sums_of = [&](const std::vector<double>& taps) {
    double part = 0, absolute_part = 0;
    for (const double tap : taps) {
      part += tap;
      absolute_part += std::abs(tap);
    }
    sum *= part;
    absolute *= absolute_part;
  };
  if (mask.taps.values.empty()) {
    times_sums_of(mask.factors->column);
    times_sums_of(mask.factors->row);
  } else {
    times_sums_of(mask.taps.values);
  }
  if (std::abs(sum) >= least_share * absolute && sum != 0) return;
  throw ShapeError(fmt::format(
      "min_valid needs a mask whose taps sum to something, and these sum to "
      "{:.2g}, less than {} of their absolute values (a derivative, high-pass or band-pass has no "
      "weight to rescale): compute without min_valid",
      sum, least_share));
}

/// Refuses the features that a sum of several separable terms does not support: renormalization
/// over valid points, and skipped taps, which cannot be recognized in the factors.
void check_several_terms(const Mask& mask, bool renormalizes) {
  const auto& taps = mask.taps.values;
  const Index terms = mask.factors->terms;
  if (renormalizes)
    throw ShapeError(fmt::format(
        "method = separable cannot leave missing points out of a sum of {} separable masks as "
        "min_valid asks for: use method = auto or direct",
        terms));
  if (!mask.multiply_zeros && std::find(taps.begin(), taps.end(), 0.0) != taps.end())
    throw ShapeError(
        fmt::format("method = separable cannot skip the inputs under taps of 0 in a sum of {} "
                    "separable masks: use method = auto or direct",
                    terms));
}

/// Returns the factors of a mask for its sums. A mask of three axes with a single plane is summed
/// like a mask of two axes, so the factors along batch become a part of the columns.
Factors factors_to_sum(const Mask& mask) {
  Factors factors = *mask.factors;
  if (mask.taps.depth > 1 || factors.plane.empty()) return factors;
  for (Index k = 0; k < factors.terms; ++k)
    for (Index y = 0; y < mask.taps.height; ++y)
      factors.column[k * mask.taps.height + y] *= factors.plane[k];
  factors.plane.clear();
  return factors;
}

/// Returns the absolute values of the taps if some taps are positive and some are negative, else an
/// empty list.
template <class T>
std::vector<T> absolute_of_mixed(const std::vector<T>& taps) {
  std::vector<T> absolute(taps);
  bool rises = false, falls = false;
  for (T& tap : absolute) {
    rises = rises || tap > 0;
    falls = falls || tap < 0;
    tap = std::abs(tap);
  }
  return rises && falls ? absolute : std::vector<T>();
}

/// Computes the tables of Method::fft: for blocks if the mask has one axis, otherwise for tiles.
/// Chooses the blocks if the caller has not chosen them.
template <class T>
void plan_transforms(FftBlocks blocks, const FftTiles& tiles, FftTables tables,
                     Stencil<T>& stencil) {
  constexpr Index long_axis = Index{1} << 26;
  const Index height = stencil.height, width = stencil.width;
  const std::vector<T> absolute = stencil.min_valid && tables != FftTables::left_out
                                      ? absolute_of_mixed(stencil.taps)
                                      : std::vector<T>();
  if (height > 1 && width > 1) {
    if (tiles.empty())
      throw ShapeError(
          "method = fft of a mask of two axes needs its tiles: give those of choose_fft_tiles()");
    stencil.fft_tiles = tables == FftTables::left_out ? FftTilePlan<T>{tiles}
                                                      : make_fft_tile_plan(stencil.taps, tiles);
    if (!absolute.empty())
      stencil.fft_tiles->absolute = std::move(make_fft_tile_plan(absolute, tiles).spectrum);
  } else {
    if (blocks.points == 0) blocks = choose_fft_blocks(height * width, long_axis, 1);
    stencil.fft = make_fft_plan(stencil.taps, blocks, tables);
    if (!absolute.empty())
      stencil.fft->absolute =
          std::move(make_fft_plan(absolute, blocks, FftTables::spectrum).spectrum);
  }
}

}  // namespace

void require_fft_possible(const Mask& mask) {
  if (mask.taps.depth > 1 && (mask.taps.height == 1 || mask.taps.width == 1))
    throw ShapeError(
        "method = fft cannot take a mask of three axes with one row or one column in each plane: "
        "use "
        "method = auto");
  const bool two_axes = mask.taps.height > 1 && mask.taps.width > 1;
  if (two_axes && (mask.taps.values.empty() || !fits_fft_tiles(mask.taps.height, mask.taps.width)))
    throw ShapeError(
        fmt::format("method = fft cannot take a mask of {} x {} taps: use method = auto",
                    mask.taps.height, mask.taps.width));
}

template <class T>
Stencil<T> make_stencil(const Mask& mask, Method method, std::array<Index, 2> stride,
                        std::optional<double> min_valid, const FftBlocks& blocks,
                        const FftTiles& tiles, FftTables tables) {
  check_stride(stride);
  if (min_valid) check_min_valid(mask, *min_valid);
  Stencil<T> result;
  result.method = method;
  result.multiply_zeros = mask.multiply_zeros;
  result.height = mask.taps.height;
  result.width = mask.taps.width;
  result.depth = mask.taps.depth;
  result.taps = rounded<T>(mask.taps.values);
  result.stride = stride;
  result.min_valid = min_valid;
  if (method == Method::fft) {
    require_fft_possible(mask);
    plan_transforms(blocks, tiles, tables, result);
  }
  if (method == Method::separable) {
    if (!mask.factors) {
      throw ShapeError(fmt::format(
          "method = separable needs a mask that is a column times a row, but this one of "
          "{} x {} taps has no such factors: use method = direct",
          mask.taps.height, mask.taps.width));
    }
    if (mask.factors->terms > 1) check_several_terms(mask, min_valid.has_value());
    // a 0 in a factor does not mean that a tap of the mask is 0, so it must not be skipped
    if (mask.factors->terms > 1) result.multiply_zeros = true;
    const Factors factors = factors_to_sum(mask);
    result.terms = factors.terms;
    result.column = rounded<T>(factors.column);
    result.row = rounded<T>(factors.row);
    result.plane = rounded<T>(factors.plane);
  }
  return result;
}

template Stencil<float> make_stencil(const Mask&, Method, std::array<Index, 2>,
                                     std::optional<double>, const FftBlocks&, const FftTiles&,
                                     FftTables);
template Stencil<double> make_stencil(const Mask&, Method, std::array<Index, 2>,
                                      std::optional<double>, const FftBlocks&, const FftTiles&,
                                      FftTables);

}  // namespace stencil
