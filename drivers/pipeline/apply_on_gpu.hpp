#pragma once

#include <vector>

#include "drivers/pipeline/array_view.hpp"
#include "drivers/pipeline/stage.hpp"

namespace stencil {

/// The place and the order of the work of apply_on_gpu().
struct GpuCall {
  int device = 0;          ///< index of the CUDA device among the devices that this process sees
  void* stream = nullptr;  ///< a cudaStream_t of the caller on this device
  /// The axes of the arrays that the stage uses as x, as {y, x} or as {batch, y, x}, see
  /// ApplyOptions::axes.
  std::vector<int> axes{};
};

/// Returns whether this build has kernels for GPUs.
bool has_gpu_kernels();

/// Applies a stage to an array in the memory of a GPU, and writes the result to another array
/// there. Needs no MPI and no ghost points around the arrays. The work begins after all work that
/// is already queued on the caller's stream, and ends before later work on this stream begins; the
/// call itself does not wait for the end of the work. Thread-safe; the state of the module is one
/// executor and a small cache of plans for each device. Sets the current device of the calling
/// thread.
///
/// The results have the same bits as those of a Pipeline on one GPU. A single step of a stage
/// without FFTs reads and writes large arrays in place if their rows are contiguous and aligned to
/// 16 bytes. In all other cases, there is a temporary copy with ghost points on the device.
///
/// @param stage   a stage that keeps the shape of its inputs
/// @param input   any strides; float32 or float64; not changed
/// @param output  of the shape and type of the input. The arrays may be the same array; if they
///                overlap in any other way, a copy of the input is made first
/// @throws UsageError    see apply(); or the types or shapes differ
/// @throws ShapeError    the stage does not fit the shape, or no GPU kernel supports it
/// @throws WordsError    this build has no kernels for GPUs
/// @throws MachineError  there is no suitable GPU, or the GPU fails
/// @throws MemoryError   the memory for temporary copies is insufficient
void apply_on_gpu(const Stage& stage, const AnyInput& input, const AnyOutput& output,
                  const GpuCall& call);

/// Waits until all work that apply_on_gpu() has queued for a device has ended.
/// @throws MachineError  the GPU fails
void wait_for_gpu(int device);

}  // namespace stencil
