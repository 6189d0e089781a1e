#pragma once

#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"

namespace stencil::cuda {

/// Converts points on the work lane, and waits for the result; see convert_points
/// (kernels/bind/convert_points.hpp).
template <class Stored, class T>
Index convert(CudaExecutor& executor, FieldView<const Stored> stored, FieldView<T> target,
              const std::vector<Stored>& missing, T replacement);

}  // namespace stencil::cuda
