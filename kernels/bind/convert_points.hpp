#pragma once

#include <vector>

#include "framework/device/executor.hpp"
#include "framework/device/field_view.hpp"

namespace stencil {

/// Converts points from the type in a file to the compute type, in the memory of an executor.
/// Points equal to one of `missing` become `replacement`.
///
/// @param stored  view with the same extent as target
/// @returns the number of points that were missing
/// @throws MachineError  the device failed
template <class Stored, class T>
Index convert_points(Executor& executor, FieldView<const Stored> stored, FieldView<T> target,
                     const std::vector<Stored>& missing, T replacement);

}  // namespace stencil
