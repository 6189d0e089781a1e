// Which kernel takes a pattern of taps.
#pragma once

#include "kernels/cuda/steps/frame.cuh"
#include "kernels/cuda/steps/lines.cuh"
#include "kernels/cuda/steps/strips.cuh"

namespace stencil::cuda {

// The deepest sweeps use all registers. With the requested number of blocks on a multiprocessor the
// registers just suffice; with one more block they are spilled, and rates halve.
template <class T>
void launch_strips(const StepWork<T>& work, unsigned pattern, const StepArea& area,
                   CUstream_st* stream) {
  constexpr int resident = sizeof(T) == 4 ? 4 : 2;
  if (pattern == full_pattern)
    return launch_strips_of<T, full_pattern, resident, 4, 8>(work, area, stream);
  if (pattern == plus_pattern)
    return launch_strips_of<T, plus_pattern, resident, 4, 8, 12>(work, area, stream);
  if (pattern == column_pattern)
    return launch_strips_of<T, column_pattern, resident, 4, 8, 12>(work, area, stream);
  if (pattern == separable_pattern)
    return launch_strips_of < T, separable_pattern, sizeof(T) == 4 ? 3 : 2, 4, 8,
           12 > (work, area, stream);
  launch_strips_of<T, neighbour_pattern, resident, 4, 8, 12>(work, area, stream);
}

template <class T>
void launch_frame(const StepWork<T>& work, const StepEdges& edges, unsigned pattern,
                  const std::vector<StepArea>& areas, CUstream_st* stream) {
  if (pattern == full_pattern) return launch_frame_of<T, full_pattern>(work, edges, areas, stream);
  if (pattern == plus_pattern) return launch_frame_of<T, plus_pattern>(work, edges, areas, stream);
  if (pattern == row_pattern) return launch_frame_of<T, row_pattern>(work, edges, areas, stream);
  if (pattern == column_pattern)
    return launch_frame_of<T, column_pattern>(work, edges, areas, stream);
  if (pattern == separable_pattern)
    return launch_frame_of<T, separable_pattern>(work, edges, areas, stream);
  launch_frame_of<T, neighbour_pattern>(work, edges, areas, stream);
}

}  // namespace stencil::cuda
