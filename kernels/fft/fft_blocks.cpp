#include "kernels/fft/fft_blocks.hpp"

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

/// Returns the relative time of one transform and its inverse. The formula was fitted to the times
/// of 1024 to 65536 points on three Xeons with 1 and 2 MiB of second-level cache. It models the
/// passes over the points, an additional pass above 4096 points (more than four passes of radix 8),
/// and slower passes if the points do not fit into the cache.
double transform_cost(Index points) {
  const double bits = double(std::bit_width(std::uint64_t(points)) - 1);
  const double fifth_pass = bits > 12 ? 1.2 : 0;
  return double(points) * (bits + fifth_pass + 3 * std::max(0.0, bits - 14));
}

/// Number of transforms that are assumed to run at the same time, in the lanes of vectors and in
/// threads. It is fixed, because the choice of blocks must not depend on the processor.
constexpr Index typical_group = 16;

/// Relative time of the transforms of all lines.
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
  // Number of taps whose direct sum takes as long as a cost of 1. It was measured on one Xeon with
  // 2 threads and vectors of 512 bits, along rows and along columns: with transforms of 1024 points
  // (a cost of 5.6 per point with 100 taps), a sum takes as long as a direct sum of 96 to 128 taps.
  // So transforms are chosen from about 100 taps on.
  constexpr double taps_per_cost = 18;
  return taps_per_cost * total_cost(blocks, dense_outputs, lines) /
         (double(dense_outputs) * double(lines));
}

}  // namespace stencil
