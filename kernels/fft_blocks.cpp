#include "kernels/fft_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

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

double axis_cost(const FftBlocks& blocks, Index dense_outputs) {
  return double(divide_up(dense_outputs, blocks.pair())) * transform_cost(blocks.points);
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

FftBlocks choose_fft_blocks(Index width, Index dense_outputs) {
  if (width > most_fft_points / 2)
    throw ShapeError(fmt::format("method = fft takes masks of up to {} taps, this one has {}",
                                 most_fft_points / 2, width));
  FftBlocks best;
  for (Index points = least_fft_points; points <= most_fft_points; points *= 2) {
    const FftBlocks blocks{points, width};
    if (blocks.outputs() < 16) continue;
    if (best.points == 0 || axis_cost(blocks, dense_outputs) < axis_cost(best, dense_outputs))
      best = blocks;
  }
  return best;
}

}  // namespace stencil
