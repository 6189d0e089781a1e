#include "drivers/plan/predict/device_costs.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/plan/predict/plan_costs.hpp"
#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/device_blocks.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/field_layout.hpp"
#include "framework/grid/error.hpp"
#include "framework/parallel/parcel.hpp"
#include "io/hdf5/element_type.hpp"
#include "kernels/cuda/fft/memory.hpp"
#include "kernels/cuda/volume_scratch.hpp"

namespace stencil {
namespace {

Index field_bytes(const Decomposition& decomposition, int rank, const Halo& halo, Index element) {
  const Subdomain subdomain{decomposition.owned(rank), halo};
  return in_device_blocks(
      static_cast<Index>(FieldLayout::of(subdomain, static_cast<std::size_t>(element)).bytes));
}

Index message_bytes(const Problem& problem, const BoundStage& stage, int rank, Index element) {
  Index bytes = 0;
  for (const ExchangePhase& phase : exchange_plan(rank, stage.input, stage.halo, stage.boundary))
    bytes = checked_add(bytes,
                        device_bytes_of_channel(problem.transport, parcels_of(phase.sends, element),
                                                parcels_of(phase.receives, element)));
  return bytes;
}

/// Returns the bytes of a mask's taps and of further copies of the taps, which are factorized or
/// padded. Each copy is a separate allocation.
Index tap_bytes(const BoundStage& stage, Index element) {
  const auto& values = stage.channels ? stage.channels->values : stage.choice.mask.taps.values;
  const Index taps = checked_multiply(static_cast<Index>(values.size()), element);
  return checked_multiply(3, in_device_blocks(taps));
}

/// Returns the bytes of the FFT tables and of the intermediate data between passes.
Index scratch_bytes_on_device(const BoundStage& stage, Index element) {
  if (stage.choice.mask.taps.depth > 1 && stage.choice.separable_terms() > 0)
    return cuda::volume_scratch_bytes;
  if (stage.choice.method != Method::fft) return 0;
  if (!stage.choice.tiles.empty()) return cuda::fft_device_bytes(stage.choice.tiles, element);
  return cuda::fft_device_bytes(stage.choice.blocks, element, stage.mask_axis == x_axis);
}

/// Returns the bytes of input in the type of the file: integers are copied to the GPU and converted
/// there.
Index input_bytes(const Problem& problem, int rank) {
  if (is_floating(problem.input.type)) return 0;
  const Index points = largest_points(input_boxes(problem, rank));
  return in_device_blocks(
      checked_multiply(points, static_cast<Index>(size_of(problem.input.type))));
}

}  // namespace

Index stage_device_bytes(const BoundStage& stage, Index element) {
  return checked_multiply(stage.filters(), checked_add(tap_bytes(stage, element),
                                                       scratch_bytes_on_device(stage, element)));
}

Index device_bytes(const Problem& problem, int rank) {
  const auto element = problem.compute_bytes();
  const auto& stages = problem.chain.stages;
  Index standing = code_device_bytes;
  Index peak = checked_add(field_bytes(stages[0].input, rank, stages[0].halo, element),
                           input_bytes(problem, rank));
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const BoundStage& stage = stages[i];
    const Halo next = i + 1 < stages.size() ? stages[i + 1].halo : Halo{};
    const Index in = field_bytes(stage.input, rank, stage.halo, element);
    const Index out = field_bytes(stage.output, rank, next, element);
    // The sweeps of a stage alternate between two fields of the same shape.
    const Index inputs = fields_of_inputs(stage, problem.watching.within(problem.chain.steps()));
    peak = std::max(peak, checked_add(out, checked_multiply(inputs, in)));
    for (const Index bytes :
         {message_bytes(problem, stage, rank, element), stage_device_bytes(stage, element)})
      standing = checked_add(standing, bytes);
  }
  return checked_add(peak, standing);
}

void require_free(Index needed, Index free, std::size_t ranks) {
  if (needed <= free) return;
  throw MachineError(fmt::format(
      "the run needs {} bytes of GPU memory{}, but {} bytes are free there: use more GPUs, "
      "run.backend = cpu, or a smaller input",
      needed, ranks > 1 ? fmt::format(" for the {} ranks that share a GPU", ranks) : "", free));
}

}  // namespace stencil
