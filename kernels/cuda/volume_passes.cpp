#include "kernels/cuda/volume_passes.hpp"

#include <utility>

#include "framework/grid/box.hpp"
#include "kernels/cuda/generated/instance.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/production/volume_choice.hpp"
#include "kernels/cuda/uploaded.hpp"
#include "kernels/generated/compiled_kernel.hpp"
#include "kernels/plane_of_term.hpp"

namespace stencil::cuda {
namespace {

/// Returns a stencil of one column that sums the planes and terms of the scratch memory.
template <class T>
Stencil<T> column_of_planes(const Stencil<T>& stencil) {
  Stencil<T> column;
  column.multiply_zeros = stencil.multiply_zeros;
  column.height = stencil.depth * stencil.terms;
  for (Index j = 0; j < stencil.depth; ++j)
    for (Index k = 0; k < stencil.terms; ++k)
      column.taps.push_back(stencil.plane[std::size_t(k * stencil.depth + j)]);
  column.stride = {stencil.plane_stride * stencil.terms, 1};
  return column;
}

/// Queues one sweep of the kernel for all three axes, or only compiles it.
/// @returns false if that kernel does not support the arguments or cannot be compiled
template <class T>
bool launch_at_once(VolumeArguments<T> arguments, const Stencil<T>& stencil, bool only_compile,
                    CUstream_st* stream) {
  if (!generated::can_generate() || !fits_volume_separable(arguments)) return false;
  if (only_compile) arguments.sweep.batches = 0;
  try {
    launch_volume_separable(arguments, stencil, stream);
    return true;
  } catch (const NoInstance&) {
    return false;
  }
}

}  // namespace

template <class T>
VolumePasses<T>::VolumePasses(CudaExecutor& executor, const Stencil<T>& stencil)
    : executor_(executor),
      stencil_(stencil),
      along_batch_(uploaded_pass(column_of_planes(stencil))) {
  for (Index k = 0; k < stencil.terms; ++k)
    planes_.push_back(uploaded_pass(plane_of_term(stencil, k)));
  if (launch_at_once(volume_in_fields(stencil), stencil, true, nullptr)) return;
  for (const Pass& pass : planes_) prepare_production(pass.stencil);
  prepare_production(along_batch_.stencil);
}

template <class T>
auto VolumePasses<T>::uploaded_pass(Stencil<T> stencil) -> Pass {
  Memory taps = uploaded(executor_, stencil.taps), column = uploaded(executor_, stencil.column),
         row = uploaded(executor_, stencil.row);
  return {std::move(stencil), std::move(taps), std::move(column), std::move(row)};
}

template <class T>
void VolumePasses<T>::run_pass(const Pass& pass, FieldView<const T> source, FieldView<T> target,
                               CUstream_st* stream) const {
  const auto data = [](const Memory& memory) { return reinterpret_cast<const T*>(memory.get()); };
  launch_production<T>(pass.stencil, {data(pass.taps), data(pass.column), data(pass.row)}, source,
                       target, stream);
}

template <class T>
void VolumePasses<T>::run_piece(FieldView<const T> source, FieldView<T> target,
                                CUstream_st* stream) {
  const Point& outputs = target.extent;
  const Index planes = (outputs[batch_axis] - 1) * stencil_.plane_stride + stencil_.depth;
  const Index pitch = volume_scratch_pitch(outputs[x_axis], Index(sizeof(T)));
  const Index plane = outputs[y_axis] * pitch;
  T* const scratch = reinterpret_cast<T*>(scratch_.get());
  for (Index k = 0; k < stencil_.terms; ++k)
    run_pass(planes_[std::size_t(k)], source,
             FieldView<T>{scratch + k * plane,
                          {planes, outputs[y_axis], outputs[x_axis]},
                          stencil_.terms * plane,
                          pitch},
             stream);
  const FieldView<const T> results{
      scratch, {planes * stencil_.terms, outputs[y_axis], outputs[x_axis]}, plane, pitch};
  run_pass(along_batch_, results.transposed_outer(), target.transposed_outer(), stream);
}

template <class T>
void VolumePasses<T>::run(FieldView<const T> source, FieldView<T> target, CUstream_st* stream) {
  if (points(target.extent) == 0) return;
  if (launch_at_once(make_volume_arguments<T>(stencil_, {}, source, target), stencil_, false,
                     stream))
    return;
  if (!scratch_) scratch_ = executor_.allocate(std::size_t(volume_scratch_bytes));
  const Point stride{stencil_.plane_stride, stencil_.stride[0], stencil_.stride[1]};
  const Point taps{stencil_.depth, stencil_.height, stencil_.width};
  const Point piece = volume_piece(target.extent, stencil_.depth, stencil_.plane_stride,
                                   stencil_.terms, Index(sizeof(T)));
  Point first{};
  const auto run_here = [&] {
    Box outputs, inputs;
    for (int axis = 0; axis < axes; ++axis) {
      const Index last = std::min(first[axis] + piece[axis], target.extent[axis]);
      outputs.set(axis, {first[axis], last});
      inputs.set(axis, {first[axis] * stride[axis], (last - 1) * stride[axis] + taps[axis]});
    }
    run_piece(source.window(inputs), target.window(outputs), stream);
  };
  for (first[0] = 0; first[0] < target.extent[0]; first[0] += piece[0])
    for (first[1] = 0; first[1] < target.extent[1]; first[1] += piece[1])
      for (first[2] = 0; first[2] < target.extent[2]; first[2] += piece[2]) run_here();
}

template class VolumePasses<float>;
template class VolumePasses<double>;

}  // namespace stencil::cuda
