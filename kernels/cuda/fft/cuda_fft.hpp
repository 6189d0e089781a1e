#pragma once

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/pieces.hpp"
#include "kernels/cuda/fft/side_streams.hpp"
#include "kernels/cuda/fft/tables.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// Overlap-save on a GPU. The blocks, the order of the passes and the operations are those of the
/// CPU, so the results have the same bits as convolve_cpu with Method::fft.
///
/// A transform whose points fit into shared memory stays there: a block of threads reads the inputs
/// of a pair and writes its outputs. Along columns, a block processes the same pair of several
/// adjacent columns, which fill sectors of memory. The first passes of longer transforms are
/// computed in device memory, until the remaining parts fit into shared memory. If shared memory
/// cannot hold several columns, the columns are copied to the lines of a panel and back; some
/// columns are copied while others are transformed.
template <class T>
class CudaFft {
 public:
  /// @param stencil  a stencil with Method::fft
  /// @throws MachineError  not enough memory for the tables and for results between passes
  CudaFft(CudaExecutor& executor, const Stencil<T>& stencil);

  /// Queues the sums of one view; see convolve_cpu for the arguments. Calls use the same scratch
  /// memory, so they must not run at the same time.
  ///
  /// @param taps  taps of the stencil in device memory, for pairs that are summed directly
  void run(const T* taps, FieldView<const T> source, FieldView<T> target, const Anchor& anchor,
           CUstream_st* stream) const;

 private:
  FftTables<T> tables() const;
  void run_part(FftPieces<T> pieces, Index first, int lane, CUstream_st* stream) const;

  Stencil<T> stencil_;
  bool along_x_, on_chip_;
  Memory twiddles_, turns_, spectrum_;
  // for transforms through device memory: number of pieces that are computed at the same time, and
  // scratch memory of each lane
  Index at_once_ = 0;
  Memory scratch_, bad_, panel_;
  std::optional<SideStreams> lanes_;
};

/// Name of the kernel: `cuda fft line 1025, transforms of 8192`.
template <class T>
std::string fft_name(const Stencil<T>& stencil);

}  // namespace stencil::cuda
