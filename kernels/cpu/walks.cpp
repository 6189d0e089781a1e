#include "kernels/cpu/walks.hpp"

#include <omp.h>

#include "kernels/cpu/column_walk.hpp"
#include "kernels/cpu/direct_walk.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/separable_walk.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {

template <class T>
Walk<T> plain_walk(const Stencil<T>& stencil) {
  if (can_walk_columns(stencil)) return column_walk(stencil);
  return stencil.method == Method::separable ? separable_walk(stencil) : direct_walk(stencil);
}

template <class T>
void run(const Walk<T>& walk, const Stencil<T>& stencil, const RowKernels<T>& kernels,
         FieldView<const T> source, FieldView<T> target) {
  const double outputs = double(points(target.extent));
  const Index adds = stencil.method == Method::separable ? stencil.height + stencil.width
                                                         : stencil.height * stencil.width;
  const bool stream = worth_streaming(outputs * sizeof(T));
  const int threads = worthwhile_threads(outputs * double(adds));
  const WorkCut cut(target.extent, walk.panel, walk.overlap, threads);
  const auto sums = walk.sums({stencil, kernels, source, target, threads, stream}, cut.panel());
  const Scratch<T> memory(threads, sums->elements());
  const Scratch<const T*> rows(threads, sums->pointers());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index n = 0; n < cut.count(); ++n) {
    const int thread = omp_get_thread_num();
    const Box piece = cut.piece(n);
    if (!piece.empty()) sums->sum(piece, memory.of_thread(thread), rows.of_thread(thread));
    if (stream) kernels.finish_streaming();
  }
}

template Walk<float> plain_walk(const Stencil<float>&);
template Walk<double> plain_walk(const Stencil<double>&);
template void run(const Walk<float>&, const Stencil<float>&, const RowKernels<float>&,
                  FieldView<const float>, FieldView<float>);
template void run(const Walk<double>&, const Stencil<double>&, const RowKernels<double>&,
                  FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
