#pragma once

#include <vector>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/cuda/volume_scratch.hpp"
#include "kernels/stencil.hpp"

struct CUstream_st;

namespace stencil::cuda {

/// Computes separable masks of three axes on one GPU, with the same bits as on a CPU. Masks that
/// are not too large have a kernel for all three axes. For other masks, kernels for two axes sum
/// every plane of inputs with the column and the row of every term, and write the results to
/// scratch memory. There the results of all terms for one plane are adjacent, followed by those for
/// the next plane. Another kernel for two axes then sums these results along batch.
template <class T>
class VolumePasses {
 public:
  /// @throws MachineError  not enough memory for the taps
  VolumePasses(CudaExecutor& executor, const Stencil<T>& stencil);

  /// Queues one sweep. There is one scratch memory, so calls for different streams must not run
  /// concurrently.
  ///
  /// @throws MachineError  a launch failed, or there is not enough memory
  void run(FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

 private:
  /// A stencil of two axes with its taps in device memory.
  struct Pass {
    Stencil<T> stencil;
    Memory taps, column, row;
  };

  Pass uploaded_pass(Stencil<T> stencil);
  void run_pass(const Pass& pass, FieldView<const T> source, FieldView<T> target,
                CUstream_st* stream) const;
  void run_piece(FieldView<const T> source, FieldView<T> target, CUstream_st* stream);

  CudaExecutor& executor_;
  Stencil<T> stencil_;
  std::vector<Pass> planes_;  ///< along y and x, one for each term
  Pass along_batch_;          ///< `[depth, terms]` taps
  Memory scratch_;
};

}  // namespace stencil::cuda
