#pragma once

#include <concepts>

#include "framework/grid/box.hpp"

namespace stencil {

/// View of memory in the normal form `[batch, y, x]`, row-major, x contiguous. Does not own the
/// memory, which belongs to a Field (or a test's array) and must outlive the view. `FieldView<const
/// T>` is read-only.
template <class T>
struct FieldView {
  T* data = nullptr;      ///< element (0, 0, 0)
  Point extent{};         ///< numbers of points along batch, y, x
  Index batch_pitch = 0;  ///< number of elements from (b, y, x) to (b + 1, y, x)
  Index row_pitch = 0;    ///< number of elements from (b, y, x) to (b, y + 1, x)

  T& at(Index b, Index y, Index x) const { return data[b * batch_pitch + y * row_pitch + x]; }

  /// Returns the part of the view inside `box` (indices of the view). @pre box lies inside the view
  FieldView window(const Box& box) const {
    if (box.empty()) return {data, {0, 0, 0}, batch_pitch, row_pitch};
    return {&at(box.first[0], box.first[1], box.first[2]), box.extent(), batch_pitch, row_pitch};
  }
  /// Returns the same memory with the batch and y axes swapped: a mask along the batch axis becomes
  /// a mask along y.
  FieldView transposed_outer() const {
    return {data, {extent[1], extent[0], extent[2]}, row_pitch, batch_pitch};
  }
  /// This is a template so that a view of constant elements has no conversion to its own type; nvcc
  /// would warn about such a conversion.
  template <std::same_as<const T> Constant>
  operator FieldView<Constant>() const {
    return {data, extent, batch_pitch, row_pitch};
  }
};

}  // namespace stencil
