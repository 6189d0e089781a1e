#include "kernels/cpu/volume_cut.hpp"

#include <algorithm>

namespace stencil::cpu {
namespace {

constexpr Index cache_bytes = 384 << 10;         // server processors have 1 MiB and more
constexpr Index widest = 1024, narrowest = 256;  // numbers of outputs along x
constexpr Index pieces_per_thread = 4;

Index divide_up(Index a, Index b) {
  return (a + b - 1) / b;
}

/// Largest number of rows of outputs for which the inputs in all planes of the mask fit into the
/// cache; may be below 1.
Index cached_rows(const VolumeShape& mask, Index columns, Index element) {
  // A box has at least twice as many rows as the mask. If the box had fewer rows, neighbouring
  // boxes would compute most row sums twice, which costs more than reading them from a slower cache
  // level.
  if (mask.terms > 0)
    return std::max(2 * mask.taps[y_axis],
                    cache_bytes / (columns * element * mask.terms * mask.taps[batch_axis]));
  const Index row = mask.inputs({1, 1, columns})[x_axis] * element;
  return (cache_bytes / row / mask.taps[batch_axis] - mask.taps[y_axis]) / mask.stride[y_axis] + 1;
}

}  // namespace

Point VolumeShape::inputs(const Point& outputs) const {
  Point result;
  for (int axis = 0; axis < axes; ++axis)
    result[axis] = (outputs[axis] - 1) * stride[axis] + taps[axis];
  return result;
}

Box VolumeShape::inputs_of(const Box& outputs) const {
  const Point extent = inputs(outputs.extent());
  Box box;
  for (int axis = 0; axis < axes; ++axis) {
    const Index first = outputs.first[axis] * stride[axis];
    box.set(axis, {first, first + extent[axis]});
  }
  return box;
}

BoxCut::BoxCut(const Point& extent, const Point& largest) : extent_(extent), largest_(largest) {
  for (int axis = 0; axis < axes; ++axis) parts_[axis] = divide_up(extent[axis], largest[axis]);
}

Box BoxCut::piece(Index n) const {
  const Point at{n / (parts_[1] * parts_[2]), n / parts_[2] % parts_[1], n % parts_[2]};
  Box box;
  for (int axis = 0; axis < axes; ++axis) {
    const Index first = at[axis] * largest_[axis];
    box.set(axis, {first, std::min(first + largest_[axis], extent_[axis])});
  }
  return box;
}

Index extent_for_threads(Index extent, Index others, int threads) {
  const Index wanted = threads > 1 ? divide_up(pieces_per_thread * threads, others) : 1;
  return divide_up(extent, wanted);
}

namespace {

Point largest_box(const VolumeShape& mask, const Point& extent, Index element, int threads,
                  Index most_planes) {
  // with fewer rows, two neighbouring boxes would read many of the same inputs
  const Index few_rows = 2 * mask.taps[y_axis];
  Index columns = std::min(extent[x_axis], widest);
  if (mask.terms > 0 || cached_rows(mask, columns, element) < few_rows)
    columns = std::min(columns, narrowest);
  const Index rows = std::clamp<Index>(cached_rows(mask, columns, element), 1, extent[y_axis]);
  const Index tiles = divide_up(extent[y_axis], rows) * divide_up(extent[x_axis], columns);
  const Index planes =
      std::min(extent_for_threads(extent[batch_axis], tiles, threads), most_planes);
  return {planes, rows, columns};
}

}  // namespace

VolumeCut::VolumeCut(const VolumeShape& mask, const Point& extent, Index element, int threads,
                     Index most_planes)
    : BoxCut(extent, largest_box(mask, extent, element, threads, most_planes)) {}

}  // namespace stencil::cpu
