#pragma once

#include <string>

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"

struct CUstream_st;  // cudaStream_t, so that no caller needs CUDA's headers

namespace stencil::cuda {

/// The taps of a stencil in device memory, as in its vectors: `taps` for a direct stencil, `column`
/// and `row` for a separable one; null for those that the stencil does not have.
template <class T>
struct DeviceTaps {
  const T* taps = nullptr;                    ///< `[height, width]`
  const T *column = nullptr, *row = nullptr;  ///< `[terms, height]` and `[terms, width]`
};

/// Queues one sweep of the production kernels on a stream: the same computation as `convolve_cpu`
/// (kernels/cpu/convolve_cpu.hpp), with the same bits, for views in device memory.
///
/// @throws MachineError  the launch failed
/// @throws WordsError    STENCIL_TENSOR_CORES is neither `off` nor `auto`
template <class T>
void launch_production(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                       FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

/// Compiles the kernels that launch_production takes for large grids with the layout of a Field, or
/// loads them from the user's cache. The first launch would do this otherwise.
///
/// @returns the reason why one of them cannot be compiled, in which case `generic` computes
///          everything; otherwise empty
/// @throws MachineError  the GPU cannot be queried
/// @throws WordsError    as launch_production, and STENCIL_GENERATED_KERNELS likewise
template <class T>
std::string prepare_production(const Stencil<T>& stencil);

/// The kernel that launch_production takes, which is compiled if it has not been yet: `cuda dense
/// 3x3`, `cuda sparse 13 of 7x7`, or `cuda point by point dense 3x3, as libnvrtc.so cannot be
/// loaded to compile a faster kernel`.
///
/// @throws WordsError  as prepare_production
template <class T>
std::string production_name(const Stencil<T>& stencil);

}  // namespace stencil::cuda
