#pragma once

#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"

namespace stencil::cuda {

/// convert_points (kernels/bind/convert_points.hpp) on the work lane; done when it returns.
template <class Stored, class T>
Index convert(CudaExecutor& executor, FieldView<const Stored> stored, FieldView<T> target,
              const std::vector<Stored>& missing, T replacement);

}  // namespace stencil::cuda
