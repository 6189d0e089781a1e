#include "drivers/plan/predict/plan_costs.hpp"

#include <omp.h>

#include <algorithm>

#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/cuda/staging.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/field_layout.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/read/reading_memory.hpp"
#include "io/write/blocks/writing_memory.hpp"
#include "io/write/resume/checkpoint_file.hpp"
#include "kernels/bind/bind_bank.hpp"
#include "kernels/bind/channel_transforms.hpp"
#include "kernels/cpu/convolve_cpu.hpp"
#include "kernels/cpu/volume_steps.hpp"
#include "kernels/cpu/volume_walk.hpp"

namespace stencil {
namespace {

/// Returns the bytes of the largest block of a field over one decomposition.
Index field_bytes(const Decomposition& decomposition, const Halo& halo, Index element) {
  Index most = 0;
  for (int rank = 0; rank < decomposition.blocks(); ++rank) {
    const Subdomain subdomain{decomposition.owned(rank), halo};
    const auto layout = FieldLayout::of(subdomain, static_cast<std::size_t>(element));
    most = std::max(most, static_cast<Index>(layout.bytes));
  }
  return most;
}

/// Returns the host memory of a rank whose fields are on a GPU: a piece in transfer, and pinned
/// memory for its rows.
Index travelling_bytes(const Problem& problem) {
  const auto compute = problem.compute_bytes();
  const auto element = std::max(compute, static_cast<Index>(size_of(problem.input.type)));
  Index read = 0, written = 0;
  for (int rank = 0; rank < problem.chain.stages.front().input.blocks(); ++rank) {
    read = std::max(read, largest_points(input_boxes(problem, rank)));
    written = std::max(written, largest_points(output_boxes(problem, rank)));
  }
  return checked_add(cuda::pinned_bytes,
                     std::max(checked_multiply(read, element), checked_multiply(written, compute)));
}

}  // namespace

Index standing_bytes(const BoundStage& stage, Index ghosts) {
  const auto& values = stage.channels ? stage.channels->values : stage.choice.mask.taps.values;
  const auto taps = static_cast<Index>(values.size());
  // The tables of a transform need 36 bytes per point: twiddles, turns and the mask's spectrum.
  // While the tables are computed, three arrays of complex numbers in double precision need another
  // 48 bytes per point: the roots of unity, the spectrum, and a transposed copy of the spectrum.
  const FftTiles& tiles = stage.choice.tiles;
  const Index points =
      checked_add(stage.choice.blocks.points,
                  tiles.empty() ? 0 : checked_multiply(tiles.points(), tiles.depth));
  const bool by_channels = stage.channels && stage.choice.method == Method::fft;
  const Index others =
      (by_channels ? stage.channels->in * stage.channels->out : stage.filters()) - 1;
  const bool renormalizes = stage.min_valid.has_value();
  // the spectrum of the absolute values of the taps
  const Index spectrum = renormalizes ? 16 : 0;
  const Index each = (shares_transforms(stage.bank, renormalizes) ? 16 : 36) + spectrum;
  const Index plan =
      checked_multiply(points, checked_add(88 + spectrum, checked_multiply(others, each)));
  return checked_add(checked_add(checked_multiply(2, ghosts), plan),
                     checked_multiply(checked_multiply(taps, stage.filters()), 3 * sizeof(double)));
}

Index shared_bytes(const Chain& chain) {
  Index bytes = 0;
  for (const BoundStage& stage : chain.stages)
    if (stage.rows && stage.rows->has_masks())
      for (const Mask& mask : *stage.rows->masks)
        bytes = checked_add(
            bytes, static_cast<Index>(sizeof(mask) + sizeof(double) * mask.taps.values.size()));
  return bytes;
}

namespace {

/// Returns the temporary memory for a mask of several planes.
Index volume_scratch_bytes(const BoundStage& stage, Index element) {
  const Taps& taps = stage.choice.mask.taps;
  if (stage.steps_per_sweep > 1) {
    const Point widths{taps.depth, taps.height, taps.width};
    return element == sizeof(double)
               ? cpu::volume_steps_scratch_bytes<double>(widths, stage.steps_per_sweep)
               : cpu::volume_steps_scratch_bytes<float>(widths, stage.steps_per_sweep);
  }
  Stencil<float> shape;
  shape.method = stage.choice.method;
  shape.depth = taps.depth;
  shape.height = taps.height;
  shape.width = taps.width;
  shape.terms = std::max<Index>(1, stage.choice.separable_terms());
  shape.stride = stage.stride;
  shape.plane_stride = stage.sampling[batch_axis].stride;
  return cpu::volume_scratch_bytes(shape, element, stage.min_valid.has_value());
}

}  // namespace

Index scratch_bytes(const BoundStage& stage, Index element) {
  const bool is_fft = stage.choice.method == Method::fft;
  if (stage.choice.mask.taps.depth > 1 && !is_fft) return volume_scratch_bytes(stage, element);
  if (stage.rows && stage.rows->has_masks())  // each thread copies the mask of its row twice
    return checked_multiply(checked_multiply(2 * omp_get_max_threads(), element),
                            stage.choice.mask.taps.count());
  if (!is_fft) return 0;
  if (stage.channels) {
    BoundStage filters = stage;  // those of one input channel
    filters.channels.reset();
    filters.bank.assign(static_cast<std::size_t>(stage.channels->out), stage.choice);
    return checked_add(
        scratch_bytes(filters, element),
        checked_multiply(element, channel_transform_scratch(*stage.channels, stage.choice,
                                                            points(stage.output.shape()))));
  }
  const auto bytes = static_cast<std::size_t>(element);
  const bool renormalizes = stage.min_valid.has_value();
  if (!stage.choice.tiles.empty())
    return fft_scratch_bytes(stage.choice.tiles, bytes, renormalizes,
                             stage.sampling[batch_axis].stride);
  const Index stride = stage.stride[stage.choice.mask.taps.height == 1 ? 1 : 0];
  return checked_add(fft_scratch_bytes(stage.choice.blocks, stride, bytes, renormalizes),
                     stage.bank.empty() ? 0 : fft_kept_bytes(stage.choice.blocks, bytes));
}

Index fields_of_inputs(const BoundStage& stage, bool is_watched) {
  return stage.sweeps() > 1 || (is_watched && stage.steps > 1) ? 2 : 1;
}

Index stage_field_bytes(const BoundStage& stage, const Halo& next, Index element, bool is_watched) {
  const Index in = field_bytes(stage.input, stage.halo, element);
  return checked_add(checked_multiply(in, fields_of_inputs(stage, is_watched)),
                     field_bytes(stage.output, next, element));
}

bool fills_blocks(const Problem& problem) {
  if (problem.output_form.volumes() == 1) return true;
  const auto& chunk = problem.output.chunk;
  const auto& outer = problem.output_form.volume_axes();
  return problem.output_form.keeps_order() &&
         (chunk.empty() || std::all_of(outer.begin(), outer.end(), [&](int axis) {
            return chunk[static_cast<std::size_t>(axis)] == 1;
          }));
}

void count_costs(Problem& problem) {
  const auto element = problem.compute_bytes();
  problem.bytes_read = checked_multiply(points(problem.input_form.shape()),
                                        static_cast<Index>(size_of(problem.input.type)));
  problem.bytes_written = checked_multiply(points(problem.output_form.shape()),
                                           static_cast<Index>(size_of(problem.output.type)));
  problem.bytes_written = checked_multiply(problem.bytes_written, problem.output.leading_count());
  const Index volumes = problem.input_form.volumes();
  problem.bytes_read = checked_multiply(problem.bytes_read, volumes);
  problem.bytes_written = checked_multiply(problem.bytes_written, volumes);
  // Reading ends before writing begins, so the memory for reading and for writing is not needed at
  // the same time. A rank reads only its own part of the input.
  Index standing = std::max(reading_bytes(problem.input), writing_bytes(problem.output));
  if (problem.checkpoint)
    for (const BoundStage& stage : problem.chain.stages)
      standing = std::max(
          standing, writing_bytes(checkpoint_spec(problem.checkpoint->file, stage.input.shape(),
                                                  problem.compute_type(), {})));
  standing = checked_add(standing, shared_bytes(problem.chain));
  Index fields = 0, scratch = 0;
  problem.halo_bytes = problem.points_out = 0;
  const bool is_watched = problem.watching.within(problem.chain.steps());
  for (std::size_t i = 0; i < problem.chain.stages.size(); ++i) {
    const BoundStage& stage = problem.chain.stages[i];
    const Index in = field_bytes(stage.input, stage.halo, element);
    const Halo next =
        i + 1 < problem.chain.stages.size() ? problem.chain.stages[i + 1].halo : Halo{};
    fields = std::max(fields, stage_field_bytes(stage, next, element, is_watched));
    const Index ghosts =
        std::max<Index>(0, in - checked_multiply(stage.input.owned(0).points(), element));
    standing = checked_add(standing, standing_bytes(stage, ghosts));
    if (problem.chain.backend != Backend::cuda)
      scratch = std::max(scratch, scratch_bytes(stage, problem.compute_bytes()));
    problem.halo_bytes = checked_add(problem.halo_bytes, checked_multiply(ghosts, stage.sweeps()));
    problem.points_out = checked_add(problem.points_out,
                                     checked_multiply(points(stage.output.shape()), stage.steps));
  }
  problem.halo_bytes = checked_multiply(problem.halo_bytes, volumes);
  problem.points_out = checked_multiply(problem.points_out, volumes);
  if (!fills_blocks(problem))
    standing = checked_add(standing, problem.bytes_written / problem.ranks);
  if (problem.output.snapshots) {
    const Decomposition& blocks = problem.chain.stages.back().output;
    standing = checked_add(
        standing, snapshot_bytes(problem.output, field_bytes(blocks, {}, 1), blocks.blocks()));
  }
  if (problem.chain.backend == Backend::cuda)
    fields =
        checked_add(travelling_bytes(problem), problem.watching.every > 0 ? 2 * look_bytes : 0);
  problem.memory_at_once = checked_add(fields, checked_add(standing, scratch));
}

namespace {

/// Returns the multiply-adds per point that every kernel needs. Taps that are 0 and that a kernel
/// skips are not counted.
double least_adds_per_point(const BoundStage& stage) {
  const Mask& mask = stage.choice.mask;
  if (stage.channels || stage.choice.method != Method::direct || mask.multiply_zeros)
    return stage.adds_per_point();
  const std::vector<double>& taps = mask.taps.values;
  return double(Index(taps.size()) - std::count(taps.begin(), taps.end(), 0.0));
}

}  // namespace

double limit_seconds(const Problem& problem, const Limits& limits) {
  const double volumes = double(problem.input_form.volumes());
  double seconds = 0;
  for (const BoundStage& stage : problem.chain.stages) {
    const double in = double(points(stage.input.shape())),
                 out = double(points(stage.output.shape()));
    const double bytes = (in + out) * double(problem.compute_bytes());
    const double adds = out * least_adds_per_point(stage);
    seconds += volumes * std::max(double(stage.sweeps()) * bytes / limits.copy_bytes_per_second,
                                  double(stage.steps) * adds / limits.multiply_adds_per_second);
  }
  return seconds;
}

}  // namespace stencil
