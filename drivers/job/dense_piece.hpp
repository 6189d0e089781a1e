#pragma once

#include "drivers/plan/transfer_boxes.hpp"
#include "framework/device/field.hpp"

namespace stencil {

/// Memory of an executor for one box after another, the largest of them at most; their points lie
/// close together.
template <class T>
class DensePiece {
 public:
  /// @throws MachineError  not enough memory
  DensePiece(Executor& executor, const std::vector<Box>& boxes)
      : memory_(executor.allocate(
            static_cast<std::size_t>(checked_multiply(largest_points(boxes), sizeof(T))))) {}

  /// The piece as the points of a box, which is one of those that it was made for, or empty.
  FieldView<T> as(const Box& box) {
    const Point extent = box.extent();
    return {reinterpret_cast<T*>(memory_.get()), extent, extent[1] * extent[2], extent[2]};
  }

 private:
  Memory memory_;
};

}  // namespace stencil
