#include "drivers/pipeline/stage_kernel.hpp"

namespace stencil {

Box reads_of(const BoundStage& stage, const Box& outputs) {
  Box inputs;
  for (int axis = 0; axis < axes; ++axis) inputs.set(axis, stage.reads(axis, outputs.along(axis)));
  return inputs;
}

template <class T>
void run_step(const BoundStage& stage, const BoundStencil<T>& kernel, FieldView<const T> source,
              FieldView<T> target, const Point& first, Lane lane) {
  if (stage.mask_axis == batch_axis) {
    source = source.transposed_outer();
    target = target.transposed_outer();
  }
  kernel.run(source, target, lane, stage.anchor(first));
}

template <class T>
void run_steps(const BoundStage& stage, const BoundStencil<T>& kernel, Index steps, const Box& box,
               FieldView<const T> source, FieldView<T> target, Lane lane) {
  const bool along_batch = stage.mask_axis == batch_axis;
  const int across = along_batch ? batch_axis : y_axis;
  const StepEdges edges{.axis = {step_axis(stage, across, box.along(across)),
                                 step_axis(stage, x_axis, box.along(x_axis))},
                        .value = stage.boundary.value,
                        .batch = step_axis(stage, batch_axis, box.along(batch_axis))};
  if (along_batch) {
    source = source.transposed_outer();
    target = target.transposed_outer();
  }
  kernel.advance(edges, steps, source, target, lane);
}

#define STENCIL_INSTANTIATE(T)                                                          \
  template void run_step(const BoundStage&, const BoundStencil<T>&, FieldView<const T>, \
                         FieldView<T>, const Point&, Lane);                             \
  template void run_steps(const BoundStage&, const BoundStencil<T>&, Index, const Box&, \
                          FieldView<const T>, FieldView<T>, Lane);
STENCIL_INSTANTIATE(float)
STENCIL_INSTANTIATE(double)
#undef STENCIL_INSTANTIATE

}  // namespace stencil
