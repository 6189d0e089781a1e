#include "kernels/cpu/volume_walk.hpp"

#include <omp.h>

#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/volume_sums.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {

template <class T>
void walk_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target) {
  const VolumeShape shape(stencil);
  const double outputs = double(points(target.extent));
  const int threads = worthwhile_threads(outputs * double(shape.adds()));
  const bool stream = worth_streaming(outputs * sizeof(T));
  const VolumeCut cut(shape, target.extent, sizeof(T), threads, target.extent[batch_axis]);
  const auto sums = make_volume_sums(stencil, kernels, cut.largest());
  const Scratch<T> memory(threads, sums->elements());
  const Scratch<const T*> rows(threads, sums->pointers());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index n = 0; n < cut.count(); ++n) {
    const int thread = omp_get_thread_num();
    const Box box = cut.piece(n);
    sums->sum(source.window(shape.inputs_of(box)), target.window(box), stream,
              memory.of_thread(thread), rows.of_thread(thread));
    if (stream) kernels.finish_streaming();
  }
}

template <class T>
Index volume_scratch_bytes(const Stencil<T>& stencil, Index element, bool renormalizes) {
  constexpr Index large = Index{1} << 30;
  // added to the numbers of rows and columns, because the walks of 2D masks round them up
  constexpr Index more_rows = 64, more_columns = 128;
  const VolumeShape shape(stencil);
  Point box =
      VolumeCut(shape, {large, large, large}, element, 1, most_valid_planes(stencil)).largest();
  Point inputs = shape.inputs(box);
  box[x_axis] += more_columns;
  inputs[x_axis] += more_columns;
  Index elements = 0;
  if (shape.terms > 0)
    elements = checked_add(checked_multiply(shape.terms * stencil.depth, box[y_axis] * box[x_axis]),
                           checked_multiply(stencil.height + more_rows, inputs[x_axis]));
  if (renormalizes)
    elements = checked_add(elements, checked_add(checked_multiply(2, points(inputs)),
                                                 checked_multiply(3, points(box))));
  return checked_multiply(omp_get_max_threads(), checked_multiply(elements, element));
}

template Index volume_scratch_bytes(const Stencil<float>&, Index, bool);
template Index volume_scratch_bytes(const Stencil<double>&, Index, bool);
template void walk_volume(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                          FieldView<float>);
template void walk_volume(const Stencil<double>&, const RowKernels<double>&,
                          FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
