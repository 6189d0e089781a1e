#pragma once

#include "kernels/cuda/production/kernels.hpp"

namespace stencil::cuda {

/// Returns the arguments of a sweep of a direct mask of three axes over a large grid between views
/// with the alignment of a Field (sweep_in_fields).
template <class T>
VolumeArguments<T> volume_in_fields(const Stencil<T>& stencil);

/// Returns whether launch_direct_volume uses a kernel that is compiled for the mask, rather than
/// `volume_any`. The choice does not change the bits of the results.
template <class T>
bool has_volume_kernel(const VolumeArguments<T>& arguments, const Stencil<T>& stencil);

/// A kernel for separable masks of three axes, and for sums of up to three such masks. The kernel
/// supports masks of at most 22 planes of 33 x 33 taps, without strides or skipped taps.
/// fits_volume_separable() also returns false for grids that are so small that most of a tile would
/// be empty, and for pitches that a tensor map does not support (tensor_map.cuh).
template <class T>
bool fits_volume_separable(const VolumeArguments<T>& arguments);
template <class T>
void launch_volume_separable(const VolumeArguments<T>& arguments, const Stencil<T>& stencil,
                             CUstream_st* stream);

/// Queues one sweep of a direct mask of three axes (Stencil::depth above 1).
///
/// @throws logic_error   the mask is not summed directly, or missing points are to be left out
/// @throws MachineError  the launch failed
template <class T>
void launch_direct_volume(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                          FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

}  // namespace stencil::cuda
