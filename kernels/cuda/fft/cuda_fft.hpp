#pragma once

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/pieces.hpp"
#include "kernels/cuda/fft/side_streams.hpp"
#include "kernels/cuda/fft/tables.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// Overlap-save on a GPU, with the blocks, the order of the passes and the operations of the CPU,
/// and therefore with the same bits as convolve_cpu with Method::fft.
///
/// A transform whose points fit into shared memory stays there: a block of threads reads the inputs
/// of a pair, or of so many neighbouring columns that they fill sectors of memory, and writes their
/// outputs. Longer transforms pass through device memory until the remaining parts fit. If these
/// columns do not fit, they are copied into lines of a panel and back, some columns while others
/// are transformed.
template <class T>
class CudaFft {
 public:
  /// @param stencil  with Method::fft
  /// @throws MachineError  not enough memory for the tables and for results between passes
  CudaFft(CudaExecutor& executor, const Stencil<T>& stencil);

  /// Queues the sums of one view; arguments as for convolve_cpu. Calls share memory, so they must
  /// not run at the same time.
  ///
  /// @param taps  the taps of the stencil, in device memory: for pairs that are summed directly
  void run(const T* taps, FieldView<const T> source, FieldView<T> target, const Anchor& anchor,
           CUstream_st* stream) const;

 private:
  FftTables<T> tables() const;
  void run_part(FftPieces<T> pieces, Index first, int lane, CUstream_st* stream) const;

  Stencil<T> stencil_;
  bool along_x_, on_chip_;
  Memory twiddles_, turns_, spectrum_;
  // where something passes through memory: pieces that are taken at once, and for each lane
  Index at_once_ = 0;
  Memory scratch_, bad_, panel_;
  std::optional<SideStreams> lanes_;
};

/// `cuda fft line 1025, transforms of 8192`
template <class T>
std::string fft_name(const Stencil<T>& stencil);

}  // namespace stencil::cuda
