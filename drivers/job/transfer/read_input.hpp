#pragma once

#include "drivers/job/transfer/input_scale.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/box.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {

/// Reads the owned points of a rank into a field, converted to the compute type. Transfers to a
/// device are done in pieces; integers are copied in the type of the file and converted on the
/// device. Missing points are replaced as planned.
///
/// @param scale  all points are added to it; may be null
/// @returns points that were missing
/// @throws StorageError, MachineError
template <class T>
Index read_input(const InputDataset& input, const Plan& plan, int rank, Field<T>& field,
                 Executor& executor, InputScale* scale);

}  // namespace stencil
