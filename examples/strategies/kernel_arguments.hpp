#pragma once

#include "kernels/cuda/launch.hpp"

namespace stencil::cuda::ladder {

/// The views of one sweep as arguments of a kernel: `[batch, y, x]`, x contiguous, pitches in
/// elements.
template <class T>
struct KernelArguments {
  const T* source = nullptr;
  T* target = nullptr;
  Index source_batch = 0, source_row = 0;
  Index target_batch = 0, target_row = 0;
  Index inputs_y = 0, inputs_x = 0;  ///< exactly the inputs that the outputs read
  Index outputs_batch = 0, outputs_y = 0, outputs_x = 0;
  Index stride_y = 1, stride_x = 1;
};

/// Each function computes one sweep of one strategy, for stencils that refuse_unless_on_rung
/// accepts and at least one output. The source file of a strategy explains it.
///
/// @throws MachineError  the launch failed
template <class T>
void sweep_global(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                  const T* device_taps, CUstream_st* stream);
template <class T>
void sweep_constant(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                    CUstream_st* stream);
template <class T>
void sweep_tiled_halo(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                      CUstream_st* stream);
template <class T>
void sweep_tiled_two_step(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                          CUstream_st* stream);
template <class T>
void sweep_tiled_input(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                       CUstream_st* stream);
template <class T>
void sweep_tiled_cached(const KernelArguments<T>& arguments, const Stencil<T>& stencil,
                        CUstream_st* stream);

}  // namespace stencil::cuda::ladder
