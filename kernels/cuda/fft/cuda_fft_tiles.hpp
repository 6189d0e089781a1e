#pragma once

#include <optional>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/side_streams.hpp"
#include "kernels/cuda/fft/tile_launchers.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// Overlap-save of 2D masks on a GPU. The tiles, the order of the passes and the operations are
/// those of the CPU, so the results have the same bits as convolve_cpu with Method::fft.
///
/// A tile that fits into shared memory stays there from its inputs to its outputs. In a larger
/// tile, the columns, then the rows, then the columns again are transformed in groups that fit into
/// shared memory. The results between these steps are small enough to stay in the cache of device
/// memory.
template <class T>
class CudaFftTiles {
 public:
  /// @param stencil      a stencil with Method::fft and tiles
  /// @param most_marked  largest number of tiles that are transformed before the tiles with
  ///                     non-finite results among them are computed again; if 0, the number that
  ///                     fft_device_bytes assumes
  /// @throws MachineError  not enough memory for the tables and for results between passes, or a
  ///                       column of a tile does not fit into shared memory
  CudaFftTiles(CudaExecutor& executor, const Stencil<T>& stencil, Index most_marked = 0);

  /// Queues the sums of one view; see convolve_cpu for the arguments. Calls use the same scratch
  /// memory, so they must not run at the same time.
  ///
  /// @param taps  taps of the stencil in device memory, for outputs that are summed directly
  void run(const T* taps, FieldView<const T> source, FieldView<T> target, const Anchor& anchor,
           CUstream_st* stream) const;

 private:
  TileTables<T> tables() const;
  TileMarks marks(Index first) const;
  Complex<T>* scratch(int lane) const;

  Stencil<T> stencil_;
  Memory row_twiddles_, column_twiddles_, weights_, spectrum_;
  // for transforms through device memory: number of tiles that each lane computes at the same time
  Index at_once_ = 0, marked_ = 0;
  Memory scratch_, marks_, cells_;
  std::optional<SideStreams> lanes_;
};

}  // namespace stencil::cuda
