#include "drivers/pipeline/chain.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "drivers/pipeline/sweep_steps.hpp"
#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the smallest interval of an axis that contains the sources of all indices in `wanted`,
/// which may extend beyond the axis.
Interval sources_of(const Interval& wanted, BoundaryRule rule, Index extent) {
  Interval found{std::clamp<Index>(wanted.first, 0, extent),
                 std::clamp<Index>(wanted.last, 0, extent)};
  const auto is_whole = [&] { return found.first == 0 && found.last == extent; };
  const auto add = [&](Index from, Index to) {
    for (Index i = from; i < to && !is_whole(); ++i)
      if (const std::optional<Index> at = source_index(rule, i, extent))
        found = found.empty() ? Interval{*at, *at + 1}
                              : Interval{std::min(found.first, *at), std::max(found.last, *at + 1)};
  };
  add(wanted.first, std::min<Index>(wanted.last, 0));
  add(std::max(wanted.first, extent), wanted.last);
  return found;
}

Interval reads_of(const BoundStage& stage, int axis, Interval outputs) {
  const Index extent = stage.input.shape()[axis];
  for (Index step = 0; step < stage.steps && !outputs.empty(); ++step) {
    const Interval before = outputs;
    outputs = sources_of(stage.reads(axis, outputs), stage.boundary.rule[axis], extent);
    if (stage.steps > 1 && before.first == outputs.first && before.last == outputs.last) break;
  }
  return outputs;
}

/// Returns the number of consecutive inputs of a stage along the batch axis that must stay
/// together, so that the outputs of the stage are cut only at multiples of `unit`.
Index unit_of_inputs(const AxisSampling& batch, Index unit) {
  if (unit == 1) return batch.block_in;
  if (batch.first != 0) return batch.extent;
  const Index blocks = unit / std::gcd(unit, batch.block_out);
  const Index inputs = checked_multiply(blocks, batch.block_in * batch.stride);
  return batch.extent % inputs == 0 ? inputs : batch.extent;
}

}  // namespace

Index Chain::steps() const {
  Index all = 0;
  for (const BoundStage& stage : stages) all = checked_add(all, stage.steps);
  return all;
}

Index Chain::batch_unit() const {
  Index unit = 1;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage)
    unit = unit_of_inputs(stage->sampling[batch_axis], unit);
  return std::lcm(unit, batch_parts);
}

Box Chain::reads(const Box& outputs) const {
  Box box = outputs;
  for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
    if (box.empty()) return {};
    for (int axis = 0; axis < axes; ++axis) box.set(axis, reads_of(*stage, axis, box.along(axis)));
  }
  return box;
}

Index filters_of(const Chain& chain) {
  Index filters = 1;
  for (const BoundStage& stage : chain.stages) filters = checked_multiply(filters, stage.filters());
  return filters;
}

Chain make_chain(const std::vector<Stage>& stages, const Point& shape, Precision precision,
                 Backend backend) {
  if (stages.empty()) throw ShapeError("a chain without stages computes nothing");
  Chain chain;
  chain.precision = precision;
  chain.backend = backend;
  Point inputs = shape;
  Index filters = 1;
  for (Stage stage : stages) {
    try {
      stage.filters_before = filters;
      chain.stages.push_back(bind_to_shape(stage, inputs, precision, backend));
      filters = checked_multiply(filters, chain.stages.back().filters());
    } catch (const ShapeError& error) {
      throw ShapeError(fmt::format("{}: {}", stage.name, error.what()));
    }
    for (int axis = 0; axis < axes; ++axis) inputs[axis] = chain.stages.back().sampling[axis].count;
  }
  split(chain, Decomposition(shape));
  return chain;
}

namespace {

/// Throws unless each rank has all channels of its images, at each stage that mixes channels.
void require_whole_images(const Chain& chain) {
  for (const BoundStage& stage : chain.stages) {
    const Index channels = stage.sampling[batch_axis].block_in;
    for (Index k = 0; k < stage.input.grid()[batch_axis]; ++k)
      if (const Index cut = stage.input.part(batch_axis, k).first; cut % channels != 0)
        throw ShapeError(
            fmt::format("{}: its inputs are cut at batch {}, which separates the {} channels of an "
                        "image: cut the batch axis of the chain's inputs at multiples of {}",
                        stage.name, cut, channels, chain.batch_unit()));
  }
}

/// Checks that the final inputs have enough points for the fits at edges. An earlier check would
/// reject valid selections, because the stages are first bound to a selection without the points
/// beyond its ends that the masks need.
void require_points_of_fits(const Chain& chain) {
  for (const BoundStage& stage : chain.stages) {
    const Index points = stage.sampling[stage.mask_axis].extent;
    if (stage.edge_fit && points < stage.edge_fit->size)
      throw ShapeError(
          fmt::format("{}: polynomials fitted at the edges (boundary = interp) need as many points "
                      "as the mask has taps, {}, and the axis has {}: write a smaller size, or "
                      "another boundary",
                      stage.name, stage.edge_fit->size, points));
  }
}

}  // namespace

void split(Chain& chain, const Decomposition& blocks) {
  require_points_of_fits(chain);
  Decomposition inputs = blocks;
  for (BoundStage& stage : chain.stages) {
    stage.input = inputs;
    stage.output = inputs = inputs.sampled(stage.sampling);
    stage.steps_per_sweep =
        choose_steps_per_sweep(stage, chain.precision, chain.backend == Backend::cuda);
    stage.halo = needed_halo(stage);
  }
  require_whole_images(chain);
}

void require_runs(const Chain& chain, Precision precision, int ranks) {
  if (chain.stages.empty()) throw ShapeError("a chain without stages computes nothing");
  if (chain.precision != precision)
    throw ShapeError(fmt::format("a chain bound to float{} in a pipeline of float{}",
                                 8 * size_of(chain.precision), 8 * size_of(precision)));
  require_whole_images(chain);
  for (const BoundStage& stage : chain.stages)
    if (stage.input.blocks() > ranks)
      throw ShapeError(
          fmt::format("{}: {} blocks need as many ranks, and the number of ranks is {}: use more "
                      "ranks or fewer blocks",
                      stage.name, to_string(stage.input.grid()), ranks));
}

Decomposition choose_blocks(const Chain& chain, int ranks) {
  Halo widest;  // the widest halo of all stages determines the cut
  for (const BoundStage& stage : chain.stages) {
    const Halo halo = nominal_halo(stage);
    for (int axis = 0; axis < axes; ++axis) {
      widest.low[axis] = std::max(widest.low[axis], halo.low[axis]);
      widest.high[axis] = std::max(widest.high[axis], halo.high[axis]);
    }
  }
  return choose_decomposition(chain.input_shape(), widest, ranks, chain.batch_unit());
}

}  // namespace stencil
