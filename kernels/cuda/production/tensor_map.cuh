#pragma once

#include <cuda.h>

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Describes the inputs of a sweep for the tensor copy engine (CUDA driver API,
/// cuTensorMapEncodeTiled). The engine copies boxes of some rows and columns of a batch to shared
/// memory, with zeros beyond the ends of the inputs.
///
/// @param first    address of the first row, aligned to 16 bytes as boxes require
/// @param columns  number of columns of inputs from `first` on
/// @throws MachineError  the driver reports an error
template <class T>
CUtensorMap map_inputs(const KernelArguments<T>& arguments, const T* first, long columns,
                       int box_columns, int box_rows);

/// Returns whether a map can describe the pitches of rows and batches. The address of the first
/// input does not matter.
template <class T>
bool can_map_inputs(const KernelArguments<T>& arguments);

}  // namespace stencil::cuda
