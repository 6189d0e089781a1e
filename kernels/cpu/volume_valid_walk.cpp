#include "kernels/cpu/volume_valid_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/volume_sums.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

template <class T>
Stencil<T> absolute(Stencil<T> stencil) {
  for (std::vector<T>* taps : {&stencil.taps, &stencil.column, &stencil.row, &stencil.plane})
    for (T& tap : *taps) tap = std::abs(tap);
  return stencil;
}

/// Computes box after box. If all inputs of a box are finite, the ordinary sums have the right
/// bits. Otherwise two copies of the inputs are summed. One has 0 for missing points. The other has
/// 1 for valid and 0 for missing points, so its sums are the sums of the taps on valid points.
template <class T>
class ValidVolume {
 public:
  ValidVolume(const Stencil<T>& stencil, const RowKernels<T>& kernels, FieldView<const T> source,
              FieldView<T> target)
      : kernels_(kernels),
        source_(source),
        target_(target),
        shape_(stencil),
        weights_(make_weights(stencil)),
        threads_(worthwhile_threads(double(points(target.extent)) * double(shape_.adds()))),
        cut_(shape_, target.extent, sizeof(T), threads_, most_valid_planes(stencil)),
        absolute_(absolute(stencil)),
        sums_(make_volume_sums(stencil, kernels, cut_.largest())),
        shares_(make_volume_sums(absolute_, kernels, cut_.largest())) {}

  void run() const {
    const Copy inputs(shape_.inputs(cut_.largest())), results(cut_.largest());
    const Index copies =
        checked_add(checked_multiply(2, inputs.size), checked_multiply(3, results.size));
    const Scratch<T> memory(threads_, checked_add(copies, sums_->elements()));
    const Scratch<const T*> rows(threads_, sums_->pointers());
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const Box box = cut_.piece(n);
      T* const own = memory.of_thread(omp_get_thread_num());
      const T** const pointers = rows.of_thread(omp_get_thread_num());
      const FieldView<const T> source = source_.window(shape_.inputs_of(box));
      const FieldView<T> target = target_.window(box);
      if (is_whole(source))
        sums_->sum(source, target, false, own + copies, pointers);
      else
        sum_valid(source, target, inputs, results, own, own + copies, pointers);
    }
  }

 private:
  /// Layout of a box in the scratch memory.
  struct Copy {
    explicit Copy(const Point& largest)
        : row_pitch(RowRing<T>::size(1, largest[x_axis])),
          batch_pitch(checked_multiply(row_pitch, largest[y_axis])),
          size(checked_multiply(batch_pitch, largest[batch_axis])) {}
    FieldView<T> view(T* memory, const Point& extent) const {
      return {memory, extent, batch_pitch, row_pitch};
    }
    Index row_pitch, batch_pitch, size;
  };

  template <class Body>
  static void for_rows(const Point& extent, const Body& body) {
    for (Index b = 0; b < extent[batch_axis]; ++b)
      for (Index y = 0; y < extent[y_axis]; ++y) body(b, y);
  }

  bool is_whole(const FieldView<const T>& source) const {
    bool is_whole = weights_.keep_whole();
    for_rows(source.extent, [&](Index b, Index y) {
      is_whole = is_whole && kernels_.all_finite(&source.at(b, y, 0), source.extent[x_axis]);
    });
    return is_whole;
  }

  /// @param memory  memory for two copies with the layout `inputs` and three with the layout
  ///                `results`
  void sum_valid(FieldView<const T> source, FieldView<T> target, const Copy& inputs,
                 const Copy& results, T* memory, T* scratch, const T** pointers) const {
    const FieldView<T> values = inputs.view(memory, source.extent),
                       marks = inputs.view(memory + inputs.size, source.extent);
    for_rows(source.extent, [&](Index b, Index y) {
      kernels_.copy_valid(&source.at(b, y, 0), &values.at(b, y, 0), source.extent[x_axis]);
      kernels_.mark_valid(&source.at(b, y, 0), &marks.at(b, y, 0), source.extent[x_axis]);
    });
    T* const sums_memory = memory + 2 * inputs.size;
    const auto result = [&](Index n) {
      return results.view(sums_memory + n * results.size, target.extent);
    };
    const FieldView<T> sum = result(0), valid = result(1), share = result(2);
    sums_->sum(values, sum, false, scratch, pointers);
    sums_->sum(marks, valid, false, scratch, pointers);
    if (weights_.mixed) shares_->sum(marks, share, false, scratch, pointers);
    for_rows(target.extent, [&](Index b, Index y) {
      kernels_.rescale_row(&sum.at(b, y, 0), &valid.at(b, y, 0),
                           weights_.mixed ? &share.at(b, y, 0) : nullptr, weights_.total,
                           weights_.threshold, false, &target.at(b, y, 0), target.extent[x_axis]);
    });
  }

  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  VolumeShape shape_;
  Weights<T> weights_;
  int threads_;
  VolumeCut cut_;
  Stencil<T> absolute_;
  std::unique_ptr<VolumeSums<T>> sums_, shares_;
};

}  // namespace

template <class T>
void walk_valid_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                       FieldView<const T> source, FieldView<T> target) {
  ValidVolume<T>(stencil, kernels, source, target).run();
}

template void walk_valid_volume(const Stencil<float>&, const RowKernels<float>&,
                                FieldView<const float>, FieldView<float>);
template void walk_valid_volume(const Stencil<double>&, const RowKernels<double>&,
                                FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
