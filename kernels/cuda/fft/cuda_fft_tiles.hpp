#pragma once

#include <optional>

#include "framework/device/cuda/cuda_executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/side_streams.hpp"
#include "kernels/cuda/fft/tile_launchers.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// Overlap-save of 2D masks on a GPU: to the same bits as convolve_cpu by fft, which the tiles, the
/// order of the passes and every operation are those of.
///
/// A tile that fits into shared memory stays there, from its inputs to its outputs. Of a larger one
/// columns, rows, and columns again do, group by group; what lies between them is kept small enough
/// to stay in the cache before device memory.
template <class T>
class CudaFftTiles {
 public:
  /// @param stencil      by fft, with tiles
  /// @param most_marked  tiles after which those that are no numbers are mended; 0: as many as
  ///                     fft_device_bytes counts
  /// @throws MachineError  not enough memory for the tables and for what lies between passes;
  ///                       shared memory has no room for a column of a tile
  CudaFftTiles(CudaExecutor& executor, const Stencil<T>& stencil, Index most_marked = 0);

  /// Orders the sums of one view; arguments as convolve_cpu. Calls share memory: they have to
  /// follow each other.
  ///
  /// @param taps  of the stencil, in device memory: for outputs that are summed directly
  void run(const T* taps, FieldView<const T> source, FieldView<T> target, const Anchor& anchor,
           CUstream_st* stream) const;

 private:
  TileTables<T> tables() const;
  TileMarks marks(Index first) const;
  Complex<T>* scratch(int lane) const;

  Stencil<T> stencil_;
  Memory row_twiddles_, column_twiddles_, weights_, spectrum_;
  // where tiles pass through memory: how many are taken at once, by each lane
  Index at_once_ = 0, marked_ = 0;
  Memory scratch_, marks_, cells_;
  std::optional<SideStreams> lanes_;
};

}  // namespace stencil::cuda
