#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// The streams of the two parts of a sweep: points at the edges of the world, which are little work
/// in long chains, and all others. Neither part waits for the other.
struct StepStreams {
  CUstream_st *frame, *strips;
};

/// Queues the same computation as `advance_cpu` (kernels/cpu/advance_cpu.hpp), with the same bits,
/// for views in device memory.
///
/// @throws MachineError  the launch failed
/// @throws logic_error   the mask is not centred, has taps in other places than step_depth.hpp
///                       lists, or there are more steps than deepest_gpu_sweep
template <class T>
void advance_cuda(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                  FieldView<const T> source, FieldView<T> target, const StepStreams& streams);

}  // namespace stencil::cuda
