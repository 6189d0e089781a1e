#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "framework/device/executor.hpp"
#include "framework/device/field_layout.hpp"
#include "framework/device/field_view.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/subdomain.hpp"

namespace stencil {

/// Converts a view of points to a rectangle with strides in bytes. The result is a ConstRectangle
/// for a `FieldView<const T>`, otherwise a Rectangle.
template <class T>
auto rectangle_of(const FieldView<T>& view) {
  constexpr Index element = sizeof(T);
  const Point stride{view.batch_pitch * element, view.row_pitch * element, element};
  if constexpr (std::is_const_v<T>)
    return ConstRectangle{reinterpret_cast<const std::byte*>(view.data), view.extent, stride};
  else
    return Rectangle{reinterpret_cast<std::byte*>(view.data), view.extent, stride};
}

/// Storage of one subdomain with its ghosts, either allocated by the field or owned by the caller
/// (adopt). In allocated memory rows are padded to 64 bytes, and the first owned point of each row
/// is aligned to 64 bytes. The memory is not initialised. A HaloExchange makes the ghosts valid. A
/// field that was moved from has neither points nor ghosts, see was_moved().
template <class T>
class Field {
 public:
  /// Allocates the memory of a subdomain.
  /// @throws MachineError  not enough memory; the message contains the number of bytes requested
  /// @throws ShapeError    a negative halo
  Field(Executor& executor, const Subdomain& subdomain) : subdomain_(subdomain) {
    require_ghosts(subdomain.halo);
    const Point extent = subdomain.local_extent();
    const FieldLayout layout = FieldLayout::of(subdomain, sizeof(T));
    memory_ = executor.allocate(layout.bytes);
    ghosted_ = {reinterpret_cast<T*>(memory_.get() + layout.offset), extent,
                layout.row_pitch * extent[1], layout.row_pitch};
  }

  /// Makes a field in memory that the caller owns. The field does not free it: the memory must
  /// outlive the field and every field that is moved from it. The values of the points are kept.
  ///
  /// @param points  all points of the subdomain, ghosts included: extent subdomain.local_extent(),
  ///                x contiguous, in memory that the executor's kernels read and write (the host's
  ///                for a CpuExecutor, the device's for a GPU), aligned to the element. Rows and
  ///                batches may be any distance apart; elements between them are not written.
  ///
  /// The results have the same bits for any alignment and pitch, but two layouts are slower than
  /// allocated memory. The first has a row pitch that is not a multiple of 64 bytes, or a first
  /// owned point that is not aligned to 64 bytes: vectors then cross cache lines, results cannot be
  /// written with streaming stores, and a GPU cannot copy rows in bulk that are not aligned to 16
  /// bytes. The second has a row pitch that is a multiple of 4096 bytes: the rows under a mask then
  /// compete for the same cache sets.
  ///
  /// @throws ShapeError  a negative halo; the extent is not that of the subdomain; a row overlaps
  ///                     the next row, or a batch the next batch; no memory for points
  static Field adopt(const Subdomain& subdomain, const FieldView<T>& points) {
    require_ghosts(subdomain.halo);
    const Point extent = subdomain.local_extent();
    if (points.data == nullptr && stencil::points(extent) > 0)
      throw ShapeError("the memory to adopt is a null pointer");
    if (points.extent != extent)
      throw ShapeError(
          "the extent of the adopted memory differs from that of the subdomain with its ghosts");
    if ((extent[1] > 1 && points.row_pitch < extent[2]) ||
        (extent[0] > 1 && points.batch_pitch < (extent[1] - 1) * points.row_pitch + extent[2]))
      throw ShapeError("rows or batches of adopted memory overlap");
    return Field(subdomain, points);
  }

  Field(Field&& other) noexcept { *this = std::move(other); }
  Field& operator=(Field&& other) noexcept {
    if (this == &other) return *this;
    subdomain_ = std::exchange(other.subdomain_, {});
    memory_ = std::move(other.memory_);
    ghosted_ = std::exchange(other.ghosted_, {});
    was_moved_ = std::exchange(other.was_moved_, true);
    return *this;
  }
  ~Field() = default;
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  /// Returns whether the points were moved to another field; the subdomain of this field is then
  /// empty.
  bool was_moved() const { return was_moved_; }
  const Subdomain& subdomain() const { return subdomain_; }
  /// All points, ghosts included: local index = global index - owned.first + halo.low.
  FieldView<T> ghosted() { return ghosted_; }
  FieldView<const T> ghosted() const { return ghosted_; }
  /// Returns the owned points only.
  FieldView<T> owned() { return window(subdomain_.owned); }
  FieldView<const T> owned() const { return window(subdomain_.owned); }
  /// Returns the points of a box given in global indices. @pre the box lies in
  /// subdomain().ghosted()
  FieldView<T> window(const Box& global) { return ghosted_.window(local(global)); }
  FieldView<const T> window(const Box& global) const { return ghosted_.window(local(global)); }

 private:
  Field(const Subdomain& subdomain, const FieldView<T>& points)
      : subdomain_(subdomain), ghosted_(points) {}

  Box local(const Box& global) const {
    if (global.empty()) return {};
    return {subdomain_.local(global.first), subdomain_.local(global.last)};
  }

  Subdomain subdomain_;
  Memory memory_;  ///< empty if the caller owns the memory
  FieldView<T> ghosted_;
  bool was_moved_ = false;
};

}  // namespace stencil
