#pragma once

#include <string>

#include "framework/device/field_view.hpp"
#include "kernels/cuda/ladder/strategy_name.hpp"
#include "kernels/stencil.hpp"

struct CUstream_st;  // cudaStream_t, so that no caller needs CUDA's headers

namespace stencil::cuda {

/// The taps of a stencil in device memory, as its own vectors are: `taps` for a direct stencil,
/// `column` and `row` for a separable one; null where the stencil has none.
template <class T>
struct DeviceTaps {
  const T* taps = nullptr;                    ///< `[height, width]`
  const T *column = nullptr, *row = nullptr;  ///< `[terms, height]` and `[terms, width]`
};

/// Orders one sweep of the production kernels on a stream: what `convolve_cpu` computes
/// (kernels/cpu/convolve_cpu.hpp), to the same bits, for views in device memory.
///
/// @throws MachineError  the launch failed
/// @throws WordsError    STENCIL_TENSOR_CORES is neither `off` nor `auto`
template <class T>
void launch_production(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                       FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

/// The kernel that launch_production takes: `cuda dense 3x3`.
template <class T>
std::string production_name(const Stencil<T>& stencil);

/// Orders one sweep of one rung of the ladder; arguments and bits as launch_production.
///
/// @throws WordsError  the rung does not have this stencil: tiled_two_step with a 2D mask, a mask
///                     beyond constant or shared memory, separable, renormalizing
template <class T>
void launch_strategy(Strategy strategy, const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                     FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

}  // namespace stencil::cuda
