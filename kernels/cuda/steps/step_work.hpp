#pragma once

#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_depth.hpp"
#include "kernels/step_edges.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Several steps of a mask of three rows, columns or both in one sweep, on views in device memory.
template <class T>
struct StepWork {
  const T* source = nullptr;  ///< the block's first point; ghosts lie around it
  T* target = nullptr;
  long source_batch = 0, source_row = 0;  ///< elements from plane to plane and from row to row
  long target_batch = 0, target_row = 0;
  long batches = 0;
  int depth = 1;   ///< steps
  T taps[9] = {};  ///< as StepTaps has them; smaller masks lie around the centre
};

/// Whether 16 bytes begin at a point and at the same point of every other row.
template <class T>
bool begins_16_bytes(const T* first, long batch, long row) {
  constexpr long count = 16 / long(sizeof(T));
  return reinterpret_cast<unsigned long>(first) % 16 == 0 && batch % count == 0 && row % count == 0;
}

/// Outputs of a block, half open.
struct StepArea {
  Interval y, x;

  bool empty() const { return y.empty() || x.empty(); }
};

/// Queues the outputs of an area that depend only on points of the world, at most `depth` rows and
/// columns away.
///
/// @param area    a multiple of four columns wide
/// @param pattern  of the mask's taps, one of those with a name in step_depth.hpp
/// @throws MachineError  the launch failed; likewise below
template <class T>
void launch_strips(const StepWork<T>& work, unsigned pattern, const StepArea& area,
                   CUstream_st* stream);

/// The same for masks of one row.
template <class T>
void launch_lines(const StepWork<T>& work, const StepArea& area, CUstream_st* stream);

/// Orders the outputs of up to four areas that may lie at the edges of the world, tile by tile.
template <class T>
void launch_frame(const StepWork<T>& work, const StepEdges& edges, unsigned pattern,
                  const std::vector<StepArea>& areas, CUstream_st* stream);

}  // namespace stencil::cuda
