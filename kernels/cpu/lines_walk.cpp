#include "kernels/cpu/lines_walk.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "kernels/cpu/row_ring.hpp"
#include "kernels/cpu/scratch.hpp"
#include "kernels/cpu/volume_cut.hpp"
#include "kernels/cpu/work_cut.hpp"

namespace stencil::cpu {
namespace {

constexpr Index step = 8;      ///< number of rows of outputs that are computed together
constexpr Index widest = 256;  ///< number of columns of the largest box

template <class T>
Point taps_of(const std::array<Stencil<T>, 3>& lines) {
  return {std::ssize(lines[batch_axis].taps), std::ssize(lines[y_axis].taps),
          std::ssize(lines[x_axis].taps)};
}

/// Number of rows of a ring: the number of rows that `step` rows of outputs read.
Index ring_rows(const Point& taps) {
  return taps[y_axis] - 1 + step;
}

/// Returns the number of planes of the largest box of outputs, 4 to 16. If possible, the ring of
/// the box fits into the second-level cache.
Index planes_of_box(const Point& taps, Index columns, Index element) {
  constexpr Index cache_bytes = 448 << 10;  // server processors have 1 MiB and more
  constexpr Index fewest_planes = 4, most_planes = 16;
  const Index row = (columns + taps[x_axis]) * element;
  return std::clamp(cache_bytes / (row * ring_rows(taps)), fewest_planes, most_planes);
}

/// Number of elements of a ring, and of the sums along y.
template <class T>
Index elements_of_box(const Point& taps, Index planes, Index columns) {
  return RowRing<T>::size(ring_rows(taps) * planes + step, columns + taps[x_axis] - 1);
}

/// Returns the extent of the largest box of outputs.
template <class T>
Point largest_box(const Point& taps, const Point& extent, int threads) {
  const Index columns = std::min(widest, extent[x_axis]);
  const Index planes = planes_of_box(taps, columns, sizeof(T));
  Point largest{std::min(planes, extent[batch_axis]), extent[y_axis], columns};
  // neighbouring boxes along y compute many sums along batch twice if they have few rows
  const Index thinnest = 4 * taps[y_axis];
  const Index rows =
      extent_for_threads(extent[y_axis], points(BoxCut(extent, largest).parts()), threads);
  largest[y_axis] = std::min(extent[y_axis], std::max(rows, thinnest));
  return largest;
}

template <class T>
class LineBoxes {
 public:
  /// @param largest  extent of the largest box of outputs
  LineBoxes(const std::array<Stencil<T>, 3>& lines, const RowKernels<T>& kernels,
            FieldView<const T> source, FieldView<T> target, const Point& largest, bool stream)
      : lines_(lines),
        kernels_(kernels),
        source_(source),
        target_(target),
        stream_(stream),
        taps_(taps_of(lines)),
        planes_(largest[batch_axis]),
        columns_(largest[x_axis]),
        ring_rows_(ring_rows(taps_)),
        pitch_(RowRing<T>::size(1, columns_ + taps(x_axis) - 1)) {
    for (Index i = 0; i < taps(x_axis); ++i)
      if (const T tap = lines[x_axis].taps[std::size_t(i)];
          tap != 0 || lines[x_axis].multiply_zeros)
        row_.push_back({i, tap});
  }

  Index elements() const { return elements_of_box<T>(taps_, planes_, columns_); }
  Index pointers() const { return std::max(planes_ + taps(batch_axis) - 1, ring_rows_) + planes_; }

  void sum(const Box& box, T* memory, const T** rows) const {
    Index next = box.first[y_axis];  // first row of inputs that is not in the ring
    for (Index y = next, count; y < box.last[y_axis]; y += count) {
      count = std::min(step, box.last[y_axis] - y);
      for (; next < y + count + taps(y_axis) - 1; ++next) sum_along_batch(box, next, memory, rows);
      for (Index b = 0; b < box.extent()[batch_axis]; ++b) {
        T* const sums = memory + ring_rows_ * planes_ * pitch_;
        for (Index j = 0; j < count + taps(y_axis) - 1; ++j) rows[j] = ring(memory, y + j, b);
        sum_columns(y_axis, rows, count, columns_of(box), sums, pitch_, nullptr);
        sum_rows(sums, count, rows, &target_.at(box.first[batch_axis] + b, y, box.first[x_axis]),
                 box.extent()[x_axis]);
      }
    }
  }

 private:
  Index taps(int axis) const { return taps_[axis]; }
  Index columns_of(const Box& box) const { return box.extent()[x_axis] + taps(x_axis) - 1; }
  T* ring(T* memory, Index y, Index b) const {
    return memory + (y % ring_rows_ * planes_ + b) * pitch_;
  }

  /// Writes the sums along batch of one row of inputs to the ring, for all planes of the box.
  void sum_along_batch(const Box& box, Index y, T* memory, const T** rows) const {
    const Index planes = box.extent()[batch_axis], before = taps(batch_axis) - 1;
    for (Index k = 0; k < planes + before; ++k)
      rows[k] = &source_.at(box.first[batch_axis] + k, y, box.first[x_axis]);
    // planes that no box before this one has read
    const T** const soon = rows + planes + before;
    const Index next = std::min(y + 1, source_.extent[y_axis] - 1);
    for (Index b = 0; b < planes; ++b)
      soon[b] = &source_.at(box.first[batch_axis] + before + b, next, box.first[x_axis]);
    sum_columns(batch_axis, rows, planes, columns_of(box), ring(memory, y, 0), pitch_, soon);
  }

  void sum_columns(int axis, const T** rows, Index count, Index n, T* to, Index pitch,
                   const T* const* soon) const {
    const Stencil<T>& line = lines_[std::size_t(axis)];
    kernels_.sum_columns({.rows = rows,
                          .count = count,
                          .taps = line.taps.data(),
                          .height = taps(axis),
                          .skip_zeros = !line.multiply_zeros,
                          .target = to,
                          .pitch = pitch,
                          .n = n,
                          .stream = false,
                          .soon = soon});
  }

  /// Sums rows along x.
  void sum_rows(const T* from, Index count, const T** rows, T* to, Index n) const {
    if (std::ssize(row_) < taps(x_axis)) {
      for (Index y = 0; y < count; ++y)
        kernels_.sum_row(row_.data(), std::ssize(row_), from + y * pitch_, 1, stream_,
                         to + y * target_.row_pitch, n);
      return;
    }
    for (Index y = 0; y < count; ++y) rows[y] = from + y * pitch_;
    kernels_.sum_lines({.rows = rows,
                        .count = count,
                        .taps = lines_[x_axis].taps.data(),
                        .width = taps(x_axis),
                        .target = to,
                        .pitch = target_.row_pitch,
                        .n = n,
                        .stream = stream_,
                        .ahead = 0});
  }

  const std::array<Stencil<T>, 3>& lines_;
  const RowKernels<T>& kernels_;
  FieldView<const T> source_;
  FieldView<T> target_;
  bool stream_;
  const Point taps_;
  Index planes_, columns_, ring_rows_, pitch_;
  std::vector<Tap<T>> row_;  ///< taps along x that are not skipped
};

}  // namespace

template <class T>
void walk_lines(const std::array<Stencil<T>, 3>& lines, const RowKernels<T>& kernels,
                FieldView<const T> source, FieldView<T> target) {
  if (points(target.extent) == 0) return;
  const double outputs = double(points(target.extent));
  Index adds = 0;
  for (const Stencil<T>& line : lines) adds += std::ssize(line.taps);
  const int threads = worthwhile_threads(outputs * double(adds));
  const bool stream = worth_streaming(outputs * sizeof(T));
  const BoxCut cut(target.extent, largest_box<T>(taps_of(lines), target.extent, threads));
  const LineBoxes<T> sums(lines, kernels, source, target, cut.largest(), stream);
  const Scratch<T> memory(threads, sums.elements());
  const Scratch<const T*> rows(threads, sums.pointers());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index n = 0; n < cut.count(); ++n) {
    const int thread = omp_get_thread_num();
    sums.sum(cut.piece(n), memory.of_thread(thread), rows.of_thread(thread));
    if (stream) kernels.finish_streaming();
  }
}

template <class T>
Index lines_scratch_bytes(const Point& taps) {
  Index most = 0;
  for (Index columns = 1; columns <= widest; ++columns)  // narrow boxes have more planes
    most =
        std::max(most, elements_of_box<T>(taps, planes_of_box(taps, columns, sizeof(T)), columns));
  return checked_multiply(omp_get_max_threads(), most * Index{sizeof(T)});
}

template Index lines_scratch_bytes<float>(const Point&);
template Index lines_scratch_bytes<double>(const Point&);
template void walk_lines(const std::array<Stencil<float>, 3>&, const RowKernels<float>&,
                         FieldView<const float>, FieldView<float>);
template void walk_lines(const std::array<Stencil<double>, 3>&, const RowKernels<double>&,
                         FieldView<const double>, FieldView<double>);

}  // namespace stencil::cpu
