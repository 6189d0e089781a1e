#pragma once

#include "drivers/plan/plan.hpp"
#include "framework/device/field_view.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {

/// Implements missing.keep: makes an output missing if the input point at the position of the
/// output is missing. The input points at the positions of the outputs are read again for this
/// purpose. Thread-safe.
class KeptPoints {
 public:
  /// @param plan  a plan with `kept`; must outlive this object
  /// @throws StorageError  see InputDataset
  explicit KeptPoints(const Plan& plan);

  /// Sets outputs in host memory to NaN where the input is missing.
  /// @param box  the box of the outputs in normal form, with the extent of `outputs`
  /// @throws StorageError  see InputDataset
  template <class T>
  void mark(const Box& box, FieldView<T> outputs) const;

 private:
  const Plan& plan_;
  const InputDataset input_;
};

}  // namespace stencil
