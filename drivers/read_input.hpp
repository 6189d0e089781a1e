#pragma once

#include "drivers/plan.hpp"
#include "framework/device/field.hpp"

namespace stencil {

/// Reads the owned points of a rank into a field, converted to the compute type; integers go to a
/// device as they are in the file and are converted there. Missing points are replaced as planned.
///
/// @returns points that were missing
/// @throws StorageError, MachineError
template <class T>
Index read_input(const InputDataset& input, const Plan& plan, const Field<T>& field,
                 Executor& executor);

/// The field itself, or a copy of its owned points in host memory where it lies on a device.
/// @throws MachineError  no memory
template <class T>
Field<T> in_host_memory(Field<T> field, Executor& executor);

}  // namespace stencil
