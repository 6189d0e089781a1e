#pragma once

#include <cuda.h>

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Describes the inputs of a sweep for the tensor copy engine (CUDA driver API,
/// cuTensorMapEncodeTiled): batches of rows, of which it copies boxes of some rows and columns to
/// shared memory, with zeros beyond the ends of the inputs.
///
/// @param first    address of the first row, aligned to 16 bytes as boxes require
/// @param columns  of inputs from there
/// @throws MachineError  the driver refuses
template <class T>
CUtensorMap map_inputs(const KernelArguments<T>& arguments, const T* first, long columns,
                       int box_columns, int box_rows);

/// Whether rows and batches lie as a map can describe, whatever the rows begin at.
template <class T>
bool can_map_inputs(const KernelArguments<T>& arguments);

}  // namespace stencil::cuda
