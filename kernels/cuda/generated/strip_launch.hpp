#pragma once

#include <optional>
#include <vector>

#include "framework/device/field_view.hpp"
#include "kernels/cuda/generated/loaded_kernel.hpp"
#include "kernels/generated/strip_spec.hpp"

namespace stencil::cuda {

/// The lead (StripSpec) of a sweep between these views. None if a strip walk does not support them:
/// rows whose distance is no multiple of 32 bytes, or more batches than a launch has blocks.
template <class T>
std::optional<int> strip_lead_of(FieldView<const T> source, FieldView<T> target);

/// Queues one sweep by a strip walk: the same computation as launch_production, with the same bits.
///
/// @param kernel  of strip_source(spec)
/// @param taps    multiplied_taps of the stencil, in host memory
/// @param source, target  in device memory, with strip_lead_of(source, target) == spec.lead
/// @throws MachineError  the launch failed
template <class T>
void launch_strip_walk(const LoadedKernel& kernel, const generated::StripSpec& spec,
                       const std::vector<T>& taps, FieldView<const T> source, FieldView<T> target,
                       CUstream_st* stream);

}  // namespace stencil::cuda
