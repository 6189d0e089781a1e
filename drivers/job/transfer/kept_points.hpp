#pragma once

#include "drivers/plan/plan.hpp"
#include "framework/device/field_view.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {

/// Makes outputs missing where the input is missing, as missing.keep requests: reads again the
/// input points at the positions of the outputs. Several threads may use it at the same time.
class KeptPoints {
 public:
  /// @param plan  with `kept`; must outlive this object
  /// @throws StorageError  as InputDataset
  explicit KeptPoints(const Plan& plan);

  /// Sets outputs to NaN, in host memory.
  /// @param box  of the outputs in normal form, of the extent of `outputs`
  /// @throws StorageError  as InputDataset
  template <class T>
  void mark(const Box& box, FieldView<T> outputs) const;

 private:
  const Plan& plan_;
  const InputDataset input_;
};

}  // namespace stencil
