#pragma once

#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/field.hpp"

namespace stencil {

/// Reusable memory of an executor for boxes that are processed one by one, with room for the
/// largest of them; the points of a box are stored contiguously.
template <class T>
class DensePiece {
 public:
  /// @throws MachineError  not enough memory
  DensePiece(Executor& executor, const std::vector<Box>& boxes)
      : memory_(executor.allocate(
            static_cast<std::size_t>(checked_multiply(largest_points(boxes), sizeof(T))))) {}

  /// A view of the memory as the points of a box, which is empty or one of the boxes given to the
  /// constructor.
  FieldView<T> as(const Box& box) {
    const Point extent = box.extent();
    return {reinterpret_cast<T*>(memory_.get()), extent, extent[1] * extent[2], extent[2]};
  }

 private:
  Memory memory_;
};

}  // namespace stencil
