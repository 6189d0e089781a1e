#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "framework/device/field_view.hpp"

namespace stencil {

/// The axes of an array that the stages use as batch, y and x.
struct AxisRoles {
  AxisList outer;  ///< axes along which the stages are applied separately, slowest first
  AxisList batch;  ///< axes that are folded into batch, slowest first
  int y = -1;      ///< -1 if the array has no y axis; y then has one point
  int x = 0;
};

/// Determines which axes of an array the stages use as batch, y and x.
///
/// @param count  axes of the array
/// @param given  ApplyOptions::axes
/// @param name   the name of the argument, for messages
/// @throws UsageError  the array has no axes, or `given` has more than three axes, an axis twice,
///                     or an axis that the array does not have
AxisRoles roles_of(int count, const std::vector<int>& given, const char* name);

/// Returns the extents {batch, y, x} after the folding of an array of this shape.
Point folded_shape(const AxisList& shape, const AxisRoles& roles);

/// Returns the extents of some axes of a shape.
AxisList picked(const AxisList& shape, const AxisList& which);

/// An array seen as {batch, y, x} points, in the memory and with the strides of the original array.
template <class Byte>
struct FoldedArray {
  Byte* data = nullptr;  ///< point {0, 0, 0}
  Element element = Element::float32;
  Point extent{};
  AxisList batch_extent, batch_stride;  ///< axes folded into batch, slowest first; strides in bytes
  Index y_stride = 0, x_stride = 0;     ///< bytes

  /// Returns the distance in bytes from batch 0 to batch b.
  Index batch_offset(Index b) const {
    Index offset = 0;
    for (int axis = batch_extent.size() - 1; axis > 0; --axis) {
      offset += b % batch_extent[axis] * batch_stride[axis];
      b /= batch_extent[axis];
    }
    return batch_extent.size() == 0 ? 0 : offset + b * batch_stride[0];
  }
  Byte* row(Index b, Index y) const { return data + batch_offset(b) + y * y_stride; }
};

/// Folds an array. Neighbouring batch axes are merged if their strides permit. The result contains
/// only the points whose indices along the outer axes are 0.
template <class Byte>
FoldedArray<Byte> fold(const AnyArray<Byte>& array, const AxisRoles& roles);

/// Calls run(input, output) with two folded arrays for every index of the axes along which stages
/// are applied separately. The extents of these axes are the same in both arrays.
template <class Run>
void for_each_outer(const AnyInput& input, const AxisRoles& in, const AnyOutput& output,
                    const AxisRoles& out, const Run& run) {
  FoldedArray<const std::byte> from = fold(input, in);
  FoldedArray<std::byte> to = fold(output, out);
  const Index count = points(picked(input.shape, in.outer));
  for (Index n = 0; n < count; ++n) {
    Index rest = n, in_offset = 0, out_offset = 0;
    for (int k = in.outer.size() - 1; k >= 0; --k) {
      const int axis = int(in.outer[k]), to_axis = int(out.outer[k]);
      const Index at = rest % input.shape[axis];
      rest /= input.shape[axis];
      in_offset += at * input.strides[axis];
      out_offset += at * output.strides[to_axis];
    }
    from.data = input.data + in_offset;
    to.data = output.data + out_offset;
    run(from, to);
  }
}

/// Returns the array as a view if kernels can use it directly: its element type is T, its rows are
/// contiguous, in ascending order and without overlap, and its memory is aligned to T.
template <class T, class Byte>
auto as_field_view(const FoldedArray<Byte>& array) {
  using Value = std::conditional_t<std::is_const_v<Byte>, const T, T>;
  constexpr Index size = sizeof(T);
  const auto [batches, rows, columns] = array.extent;
  const Index batch_stride = array.batch_extent.size() == 1 ? array.batch_stride[0] : 0;
  const Index row = rows > 1 ? array.y_stride : columns * size;
  const Index batch = batches > 1 ? batch_stride : rows * row;
  const bool fits = array.element == element_of<T>() && (columns == 1 || array.x_stride == size) &&
                    array.batch_extent.size() <= 1 && row >= columns * size &&
                    batch >= (rows - 1) * row + columns * size && row % size == 0 &&
                    batch % size == 0 &&
                    reinterpret_cast<std::uintptr_t>(array.data) % alignof(T) == 0;
  return fits ? std::optional<FieldView<Value>>(FieldView<Value>{
                    reinterpret_cast<Value*>(array.data), array.extent, batch / size, row / size})
              : std::nullopt;
}

}  // namespace stencil
