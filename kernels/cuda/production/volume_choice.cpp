#include "kernels/cuda/production/volume_choice.hpp"

#include <stdexcept>

#include "kernels/cuda/generated/instance.hpp"
#include "kernels/cuda/production/choice.hpp"
#include "kernels/generated/compiled_kernel.hpp"

namespace stencil::cuda {

template <class T>
VolumeArguments<T> volume_in_fields(const Stencil<T>& stencil) {
  VolumeArguments<T> arguments{sweep_in_fields(stencil), int(stencil.depth), stencil.plane_stride};
  arguments.sweep.batches = 1 << 10;
  arguments.sweep.source_batch = arguments.sweep.rows * arguments.sweep.source_row;
  arguments.sweep.target_batch = arguments.sweep.rows * arguments.sweep.target_row;
  return arguments;
}

template <class T>
bool has_volume_kernel(const VolumeArguments<T>& arguments, const Stencil<T>& stencil) {
  return generated::can_generate() && fits_volume(arguments, stencil);
}

template <class T>
void launch_direct_volume(const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                          FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  if (stencil.method != Method::direct || stencil.min_valid)
    throw std::logic_error("no kernel sums this mask of three axes directly");
  const VolumeArguments<T> arguments = make_volume_arguments(stencil, device_taps, source, target);
  if (has_volume_kernel(arguments, stencil)) try {
      return launch_volume(arguments, stencil, stream);
    } catch (const NoInstance&) {  // volume_any is compiled ahead
    }
  launch_volume_any(arguments, stream);
}

template VolumeArguments<float> volume_in_fields(const Stencil<float>&);
template VolumeArguments<double> volume_in_fields(const Stencil<double>&);
template bool has_volume_kernel(const VolumeArguments<float>&, const Stencil<float>&);
template bool has_volume_kernel(const VolumeArguments<double>&, const Stencil<double>&);
template void launch_direct_volume(const Stencil<float>&, const DeviceTaps<float>&,
                                   FieldView<const float>, FieldView<float>, CUstream_st*);
template void launch_direct_volume(const Stencil<double>&, const DeviceTaps<double>&,
                                   FieldView<const double>, FieldView<double>, CUstream_st*);

}  // namespace stencil::cuda
