#include <stdexcept>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/ladder/grid.cuh"
#include "kernels/cuda/ladder/refusals.hpp"

namespace stencil::cuda {
namespace {

using ladder::Sweep;

template <class T>
Sweep<T> make_sweep(const Stencil<T>& stencil, FieldView<const T> source, FieldView<T> target) {
  Sweep<T> sweep;
  sweep.source = source.data;
  sweep.target = target.data;
  sweep.source_batch = source.batch_pitch;
  sweep.source_row = source.row_pitch;
  sweep.target_batch = target.batch_pitch;
  sweep.target_row = target.row_pitch;
  sweep.stride_y = stencil.stride[0];
  sweep.stride_x = stencil.stride[1];
  sweep.outputs_batch = target.extent[0];
  sweep.outputs_y = target.extent[1];
  sweep.outputs_x = target.extent[2];
  sweep.inputs_y = (sweep.outputs_y - 1) * sweep.stride_y + stencil.height;
  sweep.inputs_x = (sweep.outputs_x - 1) * sweep.stride_x + stencil.width;
  return sweep;
}

}  // namespace

template <class T>
void launch_strategy(Strategy strategy, const Stencil<T>& stencil, const DeviceTaps<T>& device_taps,
                     FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  ladder::refuse_unless_on_rung(strategy, stencil, most_shared_bytes());
  if (points(target.extent) == 0) return;
  const Sweep<T> sweep = make_sweep(stencil, source, target);
  switch (strategy) {
    case Strategy::global:
      if (device_taps.taps == nullptr) throw std::logic_error("run.kernel = global without taps");
      return ladder::sweep_global(sweep, stencil, device_taps.taps, stream);
    case Strategy::constant:
      return ladder::sweep_constant(sweep, stencil, stream);
    case Strategy::tiled_halo:
      return ladder::sweep_tiled_halo(sweep, stencil, stream);
    case Strategy::tiled_two_step:
      return ladder::sweep_tiled_two_step(sweep, stencil, stream);
    case Strategy::tiled_input:
      return ladder::sweep_tiled_input(sweep, stencil, stream);
    case Strategy::tiled_cached:
      return ladder::sweep_tiled_cached(sweep, stencil, stream);
  }
}

template void launch_strategy(Strategy, const Stencil<float>&, const DeviceTaps<float>&,
                              FieldView<const float>, FieldView<float>, CUstream_st*);
template void launch_strategy(Strategy, const Stencil<double>&, const DeviceTaps<double>&,
                              FieldView<const double>, FieldView<double>, CUstream_st*);

}  // namespace stencil::cuda
