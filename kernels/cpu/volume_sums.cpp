#include "kernels/cpu/volume_sums.hpp"

#include <algorithm>
#include <vector>

#include "kernels/cpu/direct_planes.hpp"
#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/walks.hpp"
#include "kernels/plane_of_term.hpp"

namespace stencil::cpu {
namespace {

/// Computes the sums tap by tap, in the order of the mask.
template <class T>
class DirectVolume : public VolumeSums<T> {
 public:
  DirectVolume(const Stencil<T>& stencil, const RowKernels<T>& kernels)
      : plane_stride_(stencil.plane_stride), depth_(stencil.depth), sums_(stencil, kernels) {}

  Index elements() const override { return 0; }
  Index pointers() const override { return depth_ + sums_.pointers(); }

  void sum(FieldView<const T> source, FieldView<T> target, bool stream, T*,
           const T** rows) const override {
    const T** const planes = rows + sums_.pointers();
    for (Index b = 0; b < target.extent[batch_axis]; ++b) {
      for (Index k = 0; k < depth_; ++k) planes[k] = &source.at(b * plane_stride_ + k, 0, 0);
      T* const to = &target.at(b, 0, 0);
      sums_.sum(planes, source.row_pitch, &to, {1, target.extent[y_axis], target.extent[x_axis]},
                target.row_pitch, stream, rows);
    }
  }

 private:
  Index plane_stride_, depth_;
  DirectPlanes<T> sums_;
};

/// Applies the column and the row factor of every term to every plane of inputs, by the walks of 2D
/// masks. A ring holds the results of as many planes as the mask has. The sums along batch are
/// computed from the ring.
template <class T>
class SeparableVolume : public VolumeSums<T> {
 public:
  SeparableVolume(const Stencil<T>& stencil, const RowKernels<T>& kernels, const Point& largest)
      : depth_(stencil.depth),
        terms_(stencil.terms),
        stride_{stencil.plane_stride, stencil.stride[0], stencil.stride[1]},
        skip_zeros_(!stencil.multiply_zeros),
        kernels_(kernels),
        pitch_(RowRing<T>::size(1, largest[x_axis])),
        plane_(checked_multiply(pitch_, largest[y_axis])) {
    for (Index k = 0; k < terms_; ++k) planes_.push_back(plane_of_term(stencil, k));
    for (Index j = 0; j < depth_; ++j)
      for (Index k = 0; k < terms_; ++k) along_batch_.push_back(stencil.plane[k * depth_ + j]);
    for (const Stencil<T>& plane : planes_) {
      const auto sums =
          plain_walk(plane).sums({plane, kernels_, {}, {}, 1, false}, largest[x_axis]);
      scratch_ = std::max(scratch_, sums->elements());
      pointers_ = std::max(pointers_, sums->pointers());
    }
  }

  Index elements() const override {
    return checked_add(checked_multiply(std::ssize(along_batch_), plane_), scratch_);
  }
  Index pointers() const override { return std::max(pointers_, std::ssize(along_batch_)); }

  void sum(FieldView<const T> source, FieldView<T> target, bool stream, T* memory,
           const T** rows) const override {
    Index next = 0;  // first plane of inputs whose results are not in the ring
    for (Index b = 0; b < target.extent[batch_axis]; ++b) {
      const Index first = b * stride_[batch_axis];
      for (next = std::max(next, first); next < first + depth_; ++next)
        sum_plane(source, next, target.extent, memory, rows);
      sum_along_batch(first, b, target, stream, memory, rows);
    }
  }

 private:
  T* in_ring(T* memory, Index plane, Index term) const {
    return memory + (plane % depth_ * terms_ + term) * plane_;
  }

  /// Writes the results of all terms for one plane of inputs to the ring.
  void sum_plane(FieldView<const T> source, Index plane, const Point& outputs, T* memory,
                 const T** rows) const {
    Box inputs = make_box(source.extent);
    inputs.set(batch_axis, {plane, plane + 1});
    const Point extent{1, outputs[y_axis], outputs[x_axis]};
    T* const scratch = memory + std::ssize(along_batch_) * plane_;
    for (Index k = 0; k < terms_; ++k) {
      const FieldView<T> results{in_ring(memory, plane, k), extent, plane_, pitch_};
      const Stencil<T>& term = planes_[std::size_t(k)];
      plain_walk(term)
          .sums({term, kernels_, source.window(inputs), results, 1, false}, extent[x_axis])
          ->sum(make_box(extent), scratch, rows);
    }
  }

  /// @param first  plane of inputs under the first tap along batch
  void sum_along_batch(Index first, Index b, FieldView<T> target, bool stream, T* memory,
                       const T** rows) const {
    for (Index y = 0; y < target.extent[y_axis]; ++y) {
      const T** row = rows;
      for (Index j = 0; j < depth_; ++j)
        for (Index k = 0; k < terms_; ++k) *row++ = in_ring(memory, first + j, k) + y * pitch_;
      kernels_.sum_columns({.rows = rows,
                            .count = 1,
                            .taps = along_batch_.data(),
                            .height = std::ssize(along_batch_),
                            .skip_zeros = skip_zeros_,
                            .target = &target.at(b, y, 0),
                            .pitch = target.row_pitch,
                            .n = target.extent[x_axis],
                            .stream = stream,
                            .soon = nullptr});
    }
  }

  Index depth_, terms_;
  Point stride_;
  bool skip_zeros_;
  const RowKernels<T>& kernels_;
  Index pitch_, plane_;  ///< elements from row to row, and from plane to plane of the ring
  std::vector<Stencil<T>> planes_;  ///< stencils of two axes, one for each term
  std::vector<T> along_batch_;      ///< `[depth, terms]`
  Index scratch_ = 0, pointers_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<VolumeSums<T>> make_volume_sums(const Stencil<T>& stencil,
                                                const RowKernels<T>& kernels,
                                                const Point& largest) {
  if (stencil.method == Method::separable)
    return std::make_unique<SeparableVolume<T>>(stencil, kernels, largest);
  return std::make_unique<DirectVolume<T>>(stencil, kernels);
}

template std::unique_ptr<VolumeSums<float>> make_volume_sums(const Stencil<float>&,
                                                             const RowKernels<float>&,
                                                             const Point&);
template std::unique_ptr<VolumeSums<double>> make_volume_sums(const Stencil<double>&,
                                                              const RowKernels<double>&,
                                                              const Point&);

}  // namespace stencil::cpu
