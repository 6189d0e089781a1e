#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Where the two parts of a sweep are ordered: points at the edges of the world, which take little
/// work and long chains of it, and all others. Neither waits for the other.
struct StepStreams {
  CUstream_st *frame, *strips;
};

/// Orders `advance_cpu` (kernels/cpu/advance_cpu.hpp), to the same bits, for views in device
/// memory.
///
/// @throws MachineError  the launch failed
/// @throws logic_error   the mask is not centred, has other places than those that step_depth.hpp
///                       names, or there are more steps than deepest_gpu_sweep
template <class T>
void advance_cuda(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                  FieldView<const T> source, FieldView<T> target, const StepStreams& streams);

}  // namespace stencil::cuda
