#pragma once

#include <string>

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"

struct CUstream_st;  // cudaStream_t, declared so that callers do not need CUDA's headers

namespace stencil::cuda {

/// The taps of a stencil in device memory, in the order of its vectors: `taps` for a direct
/// stencil, `column` and `row` for a separable one. Members that the stencil does not use are null.
template <class T>
struct DeviceTaps {
  const T* taps = nullptr;                    ///< `[depth, height, width]`
  const T *column = nullptr, *row = nullptr;  ///< `[terms, height]` and `[terms, width]`
};

/// Queues one sweep of the production kernels on a stream: the same computation as `convolve_cpu`
/// (kernels/cpu/convolve_cpu.hpp), with the same bits, for views in device memory.
/// Transforms (fft/) and separable masks of three axes (VolumePasses) are computed by other
/// classes.
///
/// @throws MachineError  the launch failed
/// @throws WordsError    STENCIL_TENSOR_CORES is neither `off` nor `auto`
template <class T>
void launch_production(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                       FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

/// Compiles the kernels that launch_production uses for large grids with the layout of a Field, or
/// loads them from the user's cache. Otherwise the first launch would do this.
///
/// @returns the reason if a kernel cannot be compiled, in which case `generic` computes everything;
///          otherwise an empty string
/// @throws MachineError  the GPU cannot be queried
/// @throws WordsError    an invalid value of STENCIL_TENSOR_CORES or STENCIL_GENERATED_KERNELS
template <class T>
std::string prepare_production(const Stencil<T>& stencil);

/// Name of the kernel that launch_production uses; the kernel is compiled if necessary: `cuda dense
/// 3x3`, `cuda sparse 13 of 7x7`, or `cuda point by point dense 3x3, as libnvrtc.so cannot be
/// loaded to compile a faster kernel`.
///
/// @throws WordsError  see prepare_production
template <class T>
std::string production_name(const Stencil<T>& stencil);

}  // namespace stencil::cuda
