#pragma once

#include "drivers/job/transfer/input_scale.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/device/field.hpp"
#include "framework/grid/box.hpp"
#include "io/read/input_dataset.hpp"

namespace stencil {

/// Reads the owned points of a rank into a field and converts them to the compute type. Points are
/// transferred to a device in pieces; integers are transferred in the type of the file and
/// converted on the device. Missing points are replaced as Problem::missing states.
///
/// @param scale  receives all points; may be null
/// @returns the number of missing points
/// @throws StorageError, MachineError
template <class T>
Index read_input(const InputDataset& input, const Plan& plan, int rank, Field<T>& field,
                 Executor& executor, InputScale* scale);

}  // namespace stencil
