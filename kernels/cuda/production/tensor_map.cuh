#pragma once

#include <cuda.h>

#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Inputs of a sweep for GPUs without a tensor copy engine. Batches always exist.
struct PlainMap {
  const unsigned char* first;  ///< aligned to 16 bytes
  long row_bytes, batch_bytes;
  int columns, rows;
};

/// Inputs of a sweep, of which boxes are copied to shared memory (copy_box). The tensor copy engine
/// has its own description (CUDA driver API, cuTensorMapEncodeTiled).
union InputMap {
  CUtensorMap tensor;
  PlainMap plain;
};

/// Describes the inputs of a sweep for copies of boxes of some rows and columns of a batch, with
/// zeros beyond the ends of the inputs.
///
/// @param first    address of the first row, aligned to 16 bytes as boxes require
/// @param columns  number of columns of inputs from `first` on
/// @throws MachineError  the driver reports an error
template <class T>
InputMap map_inputs(const KernelArguments<T>& arguments, const T* first, long columns,
                    int box_columns, int box_rows);

/// Returns whether a map can describe the pitches of rows and batches. The address of the first
/// input does not matter.
template <class T>
bool can_map_inputs(const KernelArguments<T>& arguments);

}  // namespace stencil::cuda
