#include "kernels/cuda/steps/advance_cuda.hpp"

#include <algorithm>
#include <stdexcept>

#include "kernels/cuda/steps/step_work.hpp"

namespace stencil::cuda {
namespace {

/// Outputs that depend on no point beyond an edge of the world.
Interval plain_outputs(const StepAxis& axis, Index extent, Index steps) {
  if (axis.rule == BoundaryRule::wrap) return {0, extent};
  const Index first = std::clamp<Index>(axis.world.first + steps * axis.low, 0, extent);
  return {first, std::clamp(axis.world.last - steps * axis.high, first, extent)};
}

/// pattern_of_taps or pattern_of_factors of a centred mask of one or three rows and columns; 0 for
/// any other.
template <class T>
unsigned pattern_of(const Stencil<T>& stencil, const StepEdges& edges) {
  const auto fits = [](Index size, const StepAxis& axis) {
    return size <= 3 && size == 2 * axis.low + 1 && axis.low == axis.high;
  };
  if (!fits(stencil.height, edges.axis[0]) || !fits(stencil.width, edges.axis[1])) return 0;
  if (stencil.method == Method::separable && stencil.terms == 1)
    return pattern_of_factors(stencil.column, stencil.row, stencil.multiply_zeros);
  if (stencil.method != Method::direct) return 0;
  return pattern_of_taps(stencil.taps, stencil.height, stencil.width, stencil.multiply_zeros);
}

}  // namespace

template <class T>
void advance_cuda(const Stencil<T>& stencil, const StepEdges& world, Index steps,
                  FieldView<const T> source, FieldView<T> target, const StepStreams& streams) {
  const unsigned pattern = pattern_of(stencil, world);
  if (steps < 1 || steps > deepest_gpu_sweep(pattern))
    throw std::logic_error("no kernel for so many steps of this stencil");
  if (points(target.extent) == 0) return;
  StepEdges edges = world;
  // planes of one row: the ends of many in a tile
  if (stencil.height == 1 && target.extent[1] == 1) {
    source = source.transposed_outer();
    target = target.transposed_outer();
    edges.axis[0] = {{0, target.extent[1]}, BoundaryRule::wrap, 0, 0};
  }
  StepWork<T> work{.source = source.data,
                   .target = target.data,
                   .source_batch = source.batch_pitch,
                   .source_row = source.row_pitch,
                   .target_batch = target.batch_pitch,
                   .target_row = target.row_pitch,
                   .batches = target.extent[0],
                   .depth = int(steps)};
  if (pattern == separable_pattern) {
    std::copy(stencil.row.begin(), stencil.row.end(), work.taps);
    std::copy(stencil.column.begin(), stencil.column.end(), work.taps + 3);
  } else {
    for (Index k = 0; k < stencil.height * stencil.width; ++k)
      work.taps[position_around_centre(k, stencil.height, stencil.width)] = stencil.taps[k];
  }
  const Interval all_y{0, target.extent[1]}, all_x{0, target.extent[2]};
  const Interval y = plain_outputs(edges.axis[0], target.extent[1], steps);
  Interval x = plain_outputs(edges.axis[1], target.extent[2], steps);
  // the four columns of a lane begin 16 bytes, and are all inside or all outside
  if (x.first > 0) x.first = std::min(x.last, (x.first + 3) / 4 * 4);
  x.last = x.first + x.extent() / 4 * 4;
  std::vector<StepArea> frame{{{0, y.first}, all_x},
                              {{y.last, target.extent[1]}, all_x},
                              {y, {0, x.first}},
                              {y, {x.last, target.extent[2]}}};
  // a strip of few columns takes as long as one of a hundred
  constexpr Index narrow = 16;
  const bool in_tiles = y.empty() || x.extent() <= (pattern == column_pattern ? 0 : narrow);
  if (in_tiles) frame = {{all_y, all_x}};
  std::erase_if(frame, [](const StepArea& area) { return area.empty(); });
  if (!frame.empty()) launch_frame(work, edges, pattern, frame, streams.frame);
  if (in_tiles) return;
  if (pattern == row_pattern) return launch_lines(work, {y, x}, streams.strips);
  constexpr Index most = Index{1} << 30;  // columns of strips are counted in 32 bits
  for (Index first = x.first; first < x.last; first += most)
    launch_strips(work, pattern, {y, {first, std::min(x.last, first + most)}}, streams.strips);
}

template void advance_cuda(const Stencil<float>&, const StepEdges&, Index, FieldView<const float>,
                           FieldView<float>, const StepStreams&);
template void advance_cuda(const Stencil<double>&, const StepEdges&, Index, FieldView<const double>,
                           FieldView<double>, const StepStreams&);

}  // namespace stencil::cuda
