#pragma once

#include "drivers/plan/predict/transfer_boxes.hpp"
#include "framework/device/field.hpp"

namespace stencil {

/// Memory of an executor that several boxes use one after the other. The memory is large enough for
/// the largest box. The points of a box are stored contiguously.
template <class T>
class DensePiece {
 public:
  /// @throws MachineError  the memory is insufficient
  DensePiece(Executor& executor, const std::vector<Box>& boxes)
      : memory_(executor.allocate(
            static_cast<std::size_t>(checked_multiply(largest_points(boxes), sizeof(T))))) {}

  /// Returns a view of the memory with the extent of a box, which must be empty or one of the boxes
  /// passed to the constructor.
  FieldView<T> as(const Box& box) {
    const Point extent = box.extent();
    return {reinterpret_cast<T*>(memory_.get()), extent, extent[1] * extent[2], extent[2]};
  }

 private:
  Memory memory_;
};

}  // namespace stencil
