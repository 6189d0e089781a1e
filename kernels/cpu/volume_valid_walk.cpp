#include "kernels/cpu/volume_valid_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/volume_walk.hpp"
#include "kernels/cpu/weights.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

template <class T>
std::vector<T> absolute(std::vector<T> taps) {
  for (T& tap : taps) tap = std::abs(tap);
  return taps;
}

/// Computes box after box. If all inputs of a box are finite, the plain sums have the right bits.
/// Otherwise the inputs are copied twice: with 0 in place of missing points, and as 1 for a valid
/// point and 0 for a missing one, over which the taps of the valid points are added up.
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
        threads_(worthwhile_threads(double(points(target.extent)) * double(stencil.taps.size()))),
        cut_(shape_, target.extent, sizeof(T), threads_, std::max<Index>(4, stencil.depth)),
        tile_(shape_.inputs(cut_.largest())),
        row_pitch_(RowRing<T>::size(1, tile_[x_axis])),
        batch_pitch_(checked_multiply(row_pitch_, tile_[y_axis])),
        plain_(volume_taps(stencil, stencil.taps, source.batch_pitch, source.row_pitch)),
        copied_(volume_taps(stencil, stencil.taps, batch_pitch_, row_pitch_)),
        shares_(volume_taps(stencil, absolute(stencil.taps), batch_pitch_, row_pitch_)) {}

  void run() const {
    const Index copy = checked_multiply(batch_pitch_, tile_[batch_axis]), row = row_pitch_;
    const Scratch<T> memory(threads_, checked_add(checked_multiply(2, copy), 3 * row));
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (Index n = 0; n < cut_.count(); ++n) {
      const Box box = cut_.piece(n);
      if (is_whole(box)) {
        for_rows(box, [&](Index b, Index y) {
          sum(plain_, input(box, b * shape_.stride[0], y * shape_.stride[1]), output(box, b, y),
              box);
        });
        continue;
      }
      T* const values = memory.of_thread(omp_get_thread_num());
      sum_valid(box, values, values + copy, values + 2 * copy);
    }
  }

 private:
  /// @param b, y  of a box: planes and rows after its first one
  const T* input(const Box& box, Index b, Index y) const {
    return &source_.at(box.first[0] * shape_.stride[0] + b, box.first[1] * shape_.stride[1] + y,
                       box.first[2] * shape_.stride[2]);
  }
  T* output(const Box& box, Index b, Index y) const {
    return &target_.at(box.first[0] + b, box.first[1] + y, box.first[2]);
  }

  template <class Body>
  static void for_rows(const Point& extent, const Body& body) {
    for (Index b = 0; b < extent[batch_axis]; ++b)
      for (Index y = 0; y < extent[y_axis]; ++y) body(b, y);
  }
  template <class Body>
  static void for_rows(const Box& box, const Body& body) {
    for_rows(box.extent(), body);
  }

  void sum(const std::vector<Tap<T>>& taps, const T* from, T* to, const Box& box) const {
    kernels_.sum_row(taps.data(), std::ssize(taps), from, shape_.stride[x_axis], false, to,
                     box.extent()[x_axis]);
  }

  bool is_whole(const Box& box) const {
    bool is_whole = weights_.keep_whole();
    const Point inputs = shape_.inputs(box.extent());
    for_rows(inputs, [&](Index b, Index y) {
      is_whole = is_whole && kernels_.all_finite(input(box, b, y), inputs[x_axis]);
    });
    return is_whole;
  }

  /// @param values, marks  memory for the two copies
  /// @param rows           memory for three rows of sums
  void sum_valid(const Box& box, T* values, T* marks, T* rows) const {
    const Point inputs = shape_.inputs(box.extent());
    for_rows(inputs, [&](Index b, Index y) {
      const Index place = b * batch_pitch_ + y * row_pitch_;
      kernels_.copy_valid(input(box, b, y), values + place, inputs[x_axis]);
      kernels_.mark_valid(input(box, b, y), marks + place, inputs[x_axis]);
    });
    T* const valid = rows + row_pitch_;
    T* const share = weights_.mixed ? valid + row_pitch_ : nullptr;
    for_rows(box, [&](Index b, Index y) {
      const Index place = b * shape_.stride[0] * batch_pitch_ + y * shape_.stride[1] * row_pitch_;
      sum(copied_, values + place, rows, box);
      sum(copied_, marks + place, valid, box);
      if (share != nullptr) sum(shares_, marks + place, share, box);
      kernels_.rescale_row(rows, valid, share, weights_.total, weights_.threshold, false,
                           output(box, b, y), box.extent()[x_axis]);
    });
  }

  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  VolumeShape shape_;
  Weights<T> weights_;
  int threads_;
  VolumeCut cut_;
  Point tile_;  ///< inputs of the largest box
  Index row_pitch_, batch_pitch_;
  std::vector<Tap<T>> plain_, copied_, shares_;  ///< of the source, and of copies
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
