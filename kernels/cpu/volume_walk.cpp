#include "kernels/cpu/volume_walk.hpp"

#include <omp.h>

#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {

template <class T>
std::vector<Tap<T>> volume_taps(const Stencil<T>& stencil, const std::vector<T>& values,
                                Index batch_pitch, Index row_pitch) {
  std::vector<Tap<T>> list;
  auto value = values.begin();
  for (Index k = 0; k < stencil.depth; ++k)
    for (Index j = 0; j < stencil.height; ++j)
      for (Index i = 0; i < stencil.width; ++i, ++value)
        if (*value != 0 || stencil.multiply_zeros)
          list.push_back({k * batch_pitch + j * row_pitch + i, *value});
  return list;
}

template <class T>
void walk_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
                 FieldView<T> target) {
  const double outputs = double(points(target.extent));
  const auto taps = volume_taps(stencil, stencil.taps, source.batch_pitch, source.row_pitch);
  const int threads = worthwhile_threads(outputs * double(taps.size()));
  const bool stream = worth_streaming(outputs * sizeof(T));
  const VolumeCut cut(VolumeShape(stencil), target.extent, sizeof(T), threads,
                      target.extent[batch_axis]);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index n = 0; n < cut.count(); ++n) {
    const Box box = cut.piece(n);
    const Index x = box.first[x_axis], columns = box.extent()[x_axis];
    for (Index b = box.first[batch_axis]; b < box.last[batch_axis]; ++b)
      for (Index y = box.first[y_axis]; y < box.last[y_axis]; ++y)
        kernels.sum_row(
            taps.data(), std::ssize(taps),
            &source.at(b * stencil.plane_stride, y * stencil.stride[0], x * stencil.stride[1]),
            stencil.stride[1], stream, &target.at(b, y, x), columns);
    if (stream) kernels.finish_streaming();
  }
}

#define STENCIL_INSTANTIATE(T)                                                              \
  template std::vector<Tap<T>> volume_taps(const Stencil<T>&, const std::vector<T>&, Index, \
                                           Index);                                          \
  template void walk_volume(const Stencil<T>&, const RowKernels<T>&, FieldView<const T>,    \
                            FieldView<T>);
STENCIL_INSTANTIATE(float)
STENCIL_INSTANTIATE(double)
#undef STENCIL_INSTANTIATE

}  // namespace stencil::cpu
