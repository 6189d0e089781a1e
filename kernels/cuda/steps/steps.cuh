// Which kernel takes the places of a mask.
#pragma once

#include "kernels/cuda/steps/frame.cuh"
#include "kernels/cuda/steps/lines.cuh"
#include "kernels/cuda/steps/strips.cuh"

namespace stencil::cuda {

// The deepest sweeps are as deep as registers allow. With the blocks that are asked for on a
// multiprocessor they just suffice: with one more they are spilled, and rates halve.
template <class T>
void launch_strips(const StepWork<T>& work, unsigned places, const StepArea& area,
                   CUstream_st* stream) {
  constexpr int resident = sizeof(T) == 4 ? 4 : 2;
  if (places == all_places)
    return launch_strips_of<T, all_places, resident, 4, 8>(work, area, stream);
  if (places == plus_places)
    return launch_strips_of<T, plus_places, resident, 4, 8, 12>(work, area, stream);
  if (places == column_places)
    return launch_strips_of<T, column_places, resident, 4, 8, 12>(work, area, stream);
  if (places == separable_places)
    return launch_strips_of < T, separable_places, sizeof(T) == 4 ? 3 : 2, 4, 8,
           12 > (work, area, stream);
  launch_strips_of<T, neighbour_places, resident, 4, 8, 12>(work, area, stream);
}

template <class T>
void launch_frame(const StepWork<T>& work, const StepEdges& edges, unsigned places,
                  const std::vector<StepArea>& areas, CUstream_st* stream) {
  if (places == all_places) return launch_frame_of<T, all_places>(work, edges, areas, stream);
  if (places == plus_places) return launch_frame_of<T, plus_places>(work, edges, areas, stream);
  if (places == row_places) return launch_frame_of<T, row_places>(work, edges, areas, stream);
  if (places == column_places) return launch_frame_of<T, column_places>(work, edges, areas, stream);
  if (places == separable_places)
    return launch_frame_of<T, separable_places>(work, edges, areas, stream);
  launch_frame_of<T, neighbour_places>(work, edges, areas, stream);
}

}  // namespace stencil::cuda
