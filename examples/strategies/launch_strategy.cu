#include "examples/strategies/launch_strategy.hpp"

#include <stdexcept>

#include "examples/strategies/grid.cuh"
#include "examples/strategies/refusals.hpp"
#include "kernels/cuda/device_attributes.hpp"

namespace stencil::cuda {
namespace {

using ladder::KernelArguments;

template <class T>
KernelArguments<T> make_arguments(const Stencil<T>& stencil, FieldView<const T> source,
                                  FieldView<T> target) {
  KernelArguments<T> arguments;
  arguments.source = source.data;
  arguments.target = target.data;
  arguments.source_batch = source.batch_pitch;
  arguments.source_row = source.row_pitch;
  arguments.target_batch = target.batch_pitch;
  arguments.target_row = target.row_pitch;
  arguments.stride_y = stencil.stride[0];
  arguments.stride_x = stencil.stride[1];
  arguments.outputs_batch = target.extent[0];
  arguments.outputs_y = target.extent[1];
  arguments.outputs_x = target.extent[2];
  arguments.inputs_y = (arguments.outputs_y - 1) * arguments.stride_y + stencil.height;
  arguments.inputs_x = (arguments.outputs_x - 1) * arguments.stride_x + stencil.width;
  return arguments;
}

}  // namespace

template <class T>
void launch_strategy(Strategy strategy, const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                     FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  ladder::refuse_unless_on_rung(strategy, stencil, most_shared_bytes());
  if (points(target.extent) == 0) return;
  const KernelArguments<T> arguments = make_arguments(stencil, source, target);
  switch (strategy) {
    case Strategy::global:
      if (device_taps.taps == nullptr) throw std::logic_error("strategy global without taps");
      return ladder::sweep_global(arguments, stencil, device_taps.taps, stream);
    case Strategy::constant:
      return ladder::sweep_constant(arguments, stencil, stream);
    case Strategy::tiled_halo:
      return ladder::sweep_tiled_halo(arguments, stencil, stream);
    case Strategy::tiled_two_step:
      return ladder::sweep_tiled_two_step(arguments, stencil, stream);
    case Strategy::tiled_input:
      return ladder::sweep_tiled_input(arguments, stencil, stream);
    case Strategy::tiled_cached:
      return ladder::sweep_tiled_cached(arguments, stencil, stream);
  }
}

template void launch_strategy(Strategy, const Stencil<float>&, const DeviceTaps<float>&,
                              FieldView<const float>, FieldView<float>, CUstream_st*);
template void launch_strategy(Strategy, const Stencil<double>&, const DeviceTaps<double>&,
                              FieldView<const double>, FieldView<double>, CUstream_st*);

}  // namespace stencil::cuda
