#include "drivers/plan/predict/sample_chain.hpp"

#include <algorithm>

namespace stencil {
namespace {

constexpr Index most_steps = 16;
// least number of rows of a sample, in heights of the mask, so that halo rows are only a small part
// of it
constexpr Index mask_heights = 8;
constexpr Index shortest_row = 512;  // points

/// Returns the rank that computes the most outputs of a stage.
int busiest_rank(const BoundStage& stage) {
  int busiest = 0;
  for (int rank = 1; rank < stage.output.blocks(); ++rank)
    if (stage.output.owned(rank).points() > stage.output.owned(busiest).points()) busiest = rank;
  return busiest;
}

/// Returns the largest number of whole tiles with at most `most` points, at least one tile: a part
/// of a tile takes as long as a whole tile.
Point whole_tiles(const FftTiles& tiles, const Point& block, Index most) {
  const Index columns = tiles.x.outputs(), rows = tiles.y.outputs();
  const Index wanted = std::max<Index>(1, most / (rows * columns));
  const Index across = std::clamp<Index>(block[x_axis] / columns, 1, wanted),
              down =
                  std::clamp<Index>(block[y_axis] / rows, 1, std::max<Index>(1, wanted / across));
  return {std::clamp<Index>(wanted / (across * down), 1, block[batch_axis]),
          std::min(block[y_axis], down * rows), std::min(block[x_axis], across * columns)};
}

/// Largest number of pairs of blocks that a thread transforms at once, and number of columns whose
/// points share cache lines.
constexpr Index pairs_at_once = 4, columns_at_once = 16;

/// Like whole_tiles(), for pairs of blocks of a mask along one axis. Along y and batch, a sample
/// has several columns.
Point whole_pairs(const BoundStage& stage, const Point& block, Index most) {
  const int axis = stage.mask_axis;
  const Index pair = stage.choice.blocks.pair();
  const auto least = [&](int other) {
    return other == x_axis && axis != x_axis ? std::min(block[x_axis], columns_at_once) : 1;
  };
  Index lines = 1;
  for (int other = 0; other < axes; ++other)
    if (other != axis) lines *= least(other);
  Point shape;
  const Index along =
      std::clamp<Index>(block[axis] / pair, 1, std::max<Index>(1, most / pair / lines));
  shape[axis] = std::min(block[axis], along * pair);
  Index rest = std::max<Index>(1, most / shape[axis]);
  for (const int other : {x_axis, y_axis, batch_axis}) {
    if (other == axis) continue;
    shape[other] = std::clamp(rest, least(other), block[other]);
    rest = std::max<Index>(1, rest / shape[other]);
  }
  return shape;
}

/// Returns the number of pairs of blocks that one rank transforms.
double pairs_of(const BoundStage& stage, int rank) {
  const Box owned = stage.output.owned(rank);
  const int axis = stage.mask_axis;
  const Interval outputs = owned.along(axis);
  if (outputs.empty()) return 0;
  const double lines = double(owned.points()) / double(outputs.extent());
  return lines * double(stage.choice.blocks.pairs(outputs, stage.sampling[axis].stride).extent());
}

/// Returns the number of tiles that one rank transforms.
double tiles_of(const BoundStage& stage, int rank) {
  const Box owned = stage.output.owned(rank);
  const FftTiles& tiles = stage.choice.tiles;
  const Index rows = tiles.y.tiles(owned.along(y_axis), stage.sampling[y_axis].stride).extent(),
              columns = tiles.x.tiles(owned.along(x_axis), stage.sampling[x_axis].stride).extent();
  return double(owned.extent()[batch_axis]) * double(rows) * double(columns);
}

/// Returns the extent of a part of a block with at most `most` points, or of a single tile if it
/// has more.
Point sample_shape(const BoundStage& stage, const Point& block, Index most) {
  if (!stage.choice.tiles.empty()) return whole_tiles(stage.choice.tiles, block, most);
  if (stage.choice.method == Method::fft) return whole_pairs(stage, block, most);
  const auto wanted = [&](int axis) {
    const Index width = stage.sampling[axis].width;
    return width == 1 ? 1 : std::min(block[axis], mask_heights * width);
  };
  Point shape;
  const Index room = most / (wanted(batch_axis) * wanted(y_axis));
  shape[x_axis] = std::min({block[x_axis], std::max(room, shortest_row), most});
  shape[y_axis] = std::clamp<Index>(most / (shape[x_axis] * wanted(batch_axis)), 1, block[y_axis]);
  shape[batch_axis] =
      std::clamp<Index>(most / (shape[x_axis] * shape[y_axis]), 1, block[batch_axis]);
  return shape;
}

}  // namespace

Chain sample_chain(const Chain& chain, std::size_t stage, Index points) {
  BoundStage sample = chain.stages[stage];
  Point shape = sample_shape(sample, sample.input.owned(busiest_rank(sample)).extent(),
                             std::max<Index>(1, points));
  // Samples have whole images, because each output needs all channels.
  const Index channels = sample.channels ? sample.channels->channels() : 1;
  shape[batch_axis] = std::max<Index>(1, shape[batch_axis] / channels) * channels;
  for (int axis = 0; axis < axes; ++axis) {
    AxisSampling& along = sample.sampling[axis];
    along = make_sampling(Extent::same, shape[axis], along.width, along.centre, along.stride);
  }
  if (sample.channels)
    sample.sampling[batch_axis] =
        make_block_sampling(shape[batch_axis] / channels, channels, sample.channels->out);
  if (!sample.bank.empty())
    sample.sampling[batch_axis] = make_block_sampling(shape[batch_axis], 1, sample.filters());
  // Samples have whole sweeps, because a last sweep of few steps is slower per step.
  const Index together = sample.steps_per_sweep;
  sample.steps = std::min(sample.steps, std::max(together, most_steps / together * together));
  sample.input = Decomposition(shape);
  sample.output = sample.input.sampled(sample.sampling);
  sample.halo = needed_halo(sample);
  Chain result;
  result.precision = chain.precision;
  result.backend = chain.backend;
  result.stages.push_back(std::move(sample));
  return result;
}

Index sample_of_a_thread(const BoundStage& stage) {
  const FftTiles& tiles = stage.choice.tiles;
  if (!tiles.empty()) return checked_multiply(tiles.y.outputs(), tiles.x.outputs());
  if (stage.choice.method != Method::fft) return 1;
  return checked_multiply(stage.choice.blocks.pair(),
                          stage.mask_axis == x_axis ? pairs_at_once : columns_at_once);
}

double times_sample(const BoundStage& stage, const BoundStage& sample) {
  const auto work = [&](const BoundStage& some, int rank) {
    const double units = !stage.choice.tiles.empty() ? tiles_of(some, rank)
                         : stage.choice.method == Method::fft
                             ? pairs_of(some, rank)
                             : double(some.output.owned(rank).points());
    return units * double(some.steps);
  };
  return work(stage, busiest_rank(stage)) / work(sample, 0);
}

}  // namespace stencil
