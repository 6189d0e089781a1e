#include "kernels/fft_blocks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

Index divide_up(Index a, Index b) {
  return (a + b - 1) / b;
}

/// Relative time of one transform and its inverse, fitted to 512 ... 65536 points: passes over the
/// points, dearer where the transforms of a vector's lanes no longer fit the second-level cache.
double transform_cost(Index points) {
  const double bits = double(std::bit_width(std::uint64_t(points)) - 1);
  return double(points) * (bits + 4 + 2 * std::max(0.0, bits - 11));
}

/// Transforms run in groups; how many at once differs between processors, the blocks must not.
constexpr Index typical_group = 16;

/// Relative time of all lines.
double total_cost(const FftBlocks& blocks, Index dense_outputs, Index lines) {
  const double pairs = double(lines) * double(divide_up(dense_outputs, blocks.pair()));
  return std::ceil(pairs / typical_group) * typical_group * transform_cost(blocks.points);
}

}  // namespace

Interval FftBlocks::pairs(const Interval& outputs, Index stride) const {
  if (outputs.empty()) return {0, 0};
  return {outputs.first * stride / pair(), (outputs.last - 1) * stride / pair() + 1};
}

Interval FftBlocks::reads(const Interval& outputs, Index stride, Index axis_outputs) const {
  if (outputs.empty()) return {0, 0};
  const Interval whole = pairs(outputs, stride);
  const Index end = (axis_outputs - 1) * stride + width;
  return {whole.first * pair(), std::min(end, whole.last * pair() + width - 1)};
}

FftBlocks choose_fft_blocks(Index width, Index dense_outputs, Index lines) {
  if (width > most_fft_points / 2)
    throw ShapeError(fmt::format("method = fft takes masks of up to {} taps, this one has {}",
                                 most_fft_points / 2, width));
  FftBlocks best;
  double least = 0;
  for (Index points = least_fft_points; points <= most_fft_points; points *= 2) {
    const FftBlocks blocks{points, width};
    if (blocks.outputs() < 16) continue;
    const double cost = total_cost(blocks, dense_outputs, lines);
    if (best.points > 0 && cost >= least) continue;
    best = blocks;
    least = cost;
  }
  return best;
}

double fft_cost_in_taps(const FftBlocks& blocks, Index dense_outputs, Index lines) {
  // float32, 2 threads, vectors of 512 bits: 2.2 Gpt/s along rows and 1.6 along columns at a cost
  // of 8.6 a point (257 taps, transforms of 2048 points), while a direct sum at 0.85 of the
  // possible multiply-adds takes 97 and 133 taps that fast. The larger one: direct sums are exact
  // on small whole numbers and need no plan. So the choice falls near 130 taps.
  constexpr double taps_per_cost = 16;
  return taps_per_cost * total_cost(blocks, dense_outputs, lines) /
         (double(dense_outputs) * double(lines));
}

}  // namespace stencil
