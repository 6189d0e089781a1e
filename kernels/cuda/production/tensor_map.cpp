#include "kernels/cuda/production/tensor_map.cuh"

#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <cstdint>

#include "framework/device/cuda/driver_entry.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cuda/device_attributes.hpp"

namespace stencil::cuda {
template <class T>
InputMap map_inputs(const KernelArguments<T>& arguments, const T* first, long columns,
                    int box_columns, int box_rows) {
  const long rows = arguments.rows + arguments.height - 1;
  const long batch = arguments.batches > 1 ? arguments.source_batch : rows * arguments.source_row;
  if (capability().major < 9)
    return {.plain = {reinterpret_cast<const unsigned char*>(first),
                      arguments.source_row * long(sizeof(T)), batch * long(sizeof(T)), int(columns),
                      int(rows)}};
  static const auto encode =
      reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(driver_entry("cuTensorMapEncodeTiled"));
  const cuuint64_t extent[] = {cuuint64_t(columns), cuuint64_t(rows),
                               cuuint64_t(arguments.batches)};
  const cuuint64_t pitches[] = {arguments.source_row * sizeof(T), batch * sizeof(T)};
  const cuuint32_t box[] = {cuuint32_t(box_columns), cuuint32_t(box_rows), 1}, steps[] = {1, 1, 1};
  InputMap map;
  const CUresult result =
      encode(&map.tensor,
             sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 3,
             const_cast<T*>(first), extent, pitches, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
             CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
             CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    throw MachineError(fmt::format(
        "GPU: no tensor map of {} x {} x {} inputs {} and {} bytes from each other: error {}",
        extent[2], extent[1], extent[0], pitches[1], pitches[0], int(result)));
  return map;
}

template <class T>
bool can_map_inputs(const KernelArguments<T>& arguments) {
  // coordinates are 32-bit integers, including those of the last strip and part
  constexpr long most_place = (1L << 31) - 512, most_pitch = 1L << 40;
  const long row = arguments.source_row * long(sizeof(T)),
             batch = arguments.source_batch * long(sizeof(T));
  if (row <= 0 || row % 16 != 0 || row >= most_pitch) return false;
  // a row begins at the aligned 16 bytes that contain the first input
  const long ahead = long(reinterpret_cast<std::uintptr_t>(arguments.source) % 16 / sizeof(T));
  const long columns = ahead + arguments.columns + arguments.width - 1;
  const long rows = arguments.rows + arguments.height - 1;
  if (columns > arguments.source_row || columns >= most_place || rows >= most_place) return false;
  if (arguments.batches == 1) return rows * row < most_pitch;
  return batch >= row && batch % row == 0 && batch < most_pitch;
}

template InputMap map_inputs(const KernelArguments<float>&, const float*, long, int, int);
template InputMap map_inputs(const KernelArguments<double>&, const double*, long, int, int);
template bool can_map_inputs(const KernelArguments<float>&);
template bool can_map_inputs(const KernelArguments<double>&);

}  // namespace stencil::cuda
