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

template void walk_volume(const Stencil<float>&, const RowKernels<float>&, FieldView<const float>,
                          FieldView<float>);
template void walk_volume(const Stencil<double>&, const RowKernels<double>&,
                          FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
