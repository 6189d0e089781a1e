#include "drivers/plan/predict/sample_chain.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace stencil {
namespace {

constexpr Index most_steps = 16;
// least number of rows of a sample, as a multiple of the height of the mask, so that halo rows are
// only a small part of the sample
constexpr Index mask_heights = 8;
constexpr Index shortest_row = 512;  // points

/// Returns the mean number of taps of the masks of a rank's rows if each row has a mask of its own,
/// otherwise 1.
double taps_of_rows(const BoundStage& stage, int rank) {
  if (!stage.rows || !stage.rows->has_masks()) return 1;
  const std::vector<Mask>& masks = *stage.rows->masks;
  const AxisSampling& sampling = stage.sampling[stage.rows->axis];
  const Interval outputs = stage.output.owned(rank).along(stage.rows->axis);
  double taps = 0;
  for (Index row = outputs.first; row < outputs.last; ++row) {
    const Index input =
        std::clamp<Index>(sampling.first + row * sampling.stride, 0, std::ssize(masks) - 1);
    taps += double(masks[static_cast<std::size_t>(input)].taps.count());
  }
  return taps / double(std::max<Index>(1, outputs.extent()));
}

/// Returns the rank with the most work for a stage: the most outputs or, if rows have masks of
/// their own, the most multiply-adds.
int busiest_rank(const BoundStage& stage) {
  const auto work = [&](int rank) {
    return double(stage.output.owned(rank).points()) * taps_of_rows(stage, rank);
  };
  int busiest = 0;
  for (int rank = 1; rank < stage.output.blocks(); ++rank)
    if (work(rank) > work(busiest)) busiest = rank;
  return busiest;
}

/// Returns the mask whose number of taps is nearest to `taps`.
const Mask& mask_near(const std::vector<Mask>& masks, double taps) {
  return *std::min_element(masks.begin(), masks.end(), [&](const Mask& one, const Mask& other) {
    return std::abs(double(one.taps.count()) - taps) < std::abs(double(other.taps.count()) - taps);
  });
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

/// Returns the extent of a part of a block with at most `most` points, or of a single tile if a
/// tile has more points.
Point sample_shape(const BoundStage& stage, const Point& block, Index most) {
  if (!stage.choice.tiles.empty()) return whole_tiles(stage.choice.tiles, block, most);
  if (stage.choice.method == Method::fft) return whole_pairs(stage, block, most);
  const auto wanted = [&](int axis) {
    if (stage.rows && stage.rows->has_masks() && axis == stage.rows->axis)
      return std::min<Index>(block[axis], omp_get_max_threads());  // a thread computes each row
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

/// Returns a copy of a stage for one rank and for inputs of the given shape.
BoundStage on_points(BoundStage sample, Point shape) {
  // All rows of a sample have the same mask, of mean size, because the first rows of the data may
  // be those of a pole. The list contains this mask twice, because rows are computed one by one
  // only if there are several masks.
  if (sample.rows && sample.rows->has_masks() && sample.rows->masks->size() > 1)
    sample.rows->masks = std::make_shared<const std::vector<Mask>>(
        2, mask_near(*sample.rows->masks, taps_of_rows(sample, busiest_rank(sample))));
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
  return sample;
}

}  // namespace

Chain sample_chain(const Chain& chain, std::size_t stage, Index points) {
  const BoundStage& whole = chain.stages[stage];
  const Point block = whole.input.owned(busiest_rank(whole)).extent();
  return {.stages = {on_points(whole, sample_shape(whole, block, std::max<Index>(1, points)))},
          .precision = chain.precision,
          .backend = chain.backend};
}

Chain sample_lines(const Chain& chain, std::size_t first, const BoundStage& lines, Index points) {
  const Point block = lines.input.owned(busiest_rank(lines)).extent();
  const Point shape = sample_shape(lines, block, std::max<Index>(1, points));
  Chain sample{.stages = {}, .precision = chain.precision, .backend = chain.backend};
  for (std::size_t k = first; k < first + lines_of_pass; ++k)
    sample.stages.push_back(on_points(chain.stages[k], shape));
  return sample;
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
