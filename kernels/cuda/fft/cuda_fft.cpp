#include "kernels/cuda/fft/cuda_fft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "kernels/cuda/fft/launchers.hpp"
#include "kernels/cuda/fft/memory.hpp"
#include "kernels/cuda/fft/uploaded_twiddles.hpp"
#include "kernels/cuda/uploaded.hpp"

namespace stencil::cuda {
namespace {

/// Uploads groups of 8 complex numbers, with the real and the imaginary part of a number adjacent.
template <class T>
Memory uploaded_pairs(CudaExecutor& executor, const std::vector<FftEight<T>>& eights) {
  std::vector<T> pairs;
  pairs.reserve(16 * eights.size());
  for (const FftEight<T>& eight : eights)
    for (int k = 0; k < 8; ++k) {
      pairs.push_back(eight.re[k]);
      pairs.push_back(eight.im[k]);
    }
  return uploaded(executor, pairs);
}

int log_points(const FftBlocks& blocks) {
  return std::countr_zero(static_cast<std::uint64_t>(blocks.points));
}

}  // namespace

template <class T>
CudaFft<T>::CudaFft(CudaExecutor& executor, const Stencil<T>& stencil)
    : stencil_(stencil),
      along_x_(stencil.height == 1),
      on_chip_(log_points(stencil.fft->blocks) <= log_points_on_chip<T>()),
      twiddles_(uploaded_twiddles(executor, stencil.fft->twiddles, stencil.fft->radices,
                                  stencil.fft->blocks.points / 8)),
      turns_(uploaded_pairs(executor, stencil.fft->turns)),
      spectrum_(uploaded_pairs(executor, stencil.fft->spectrum)) {
  stencil_.fft->drop_tables();
  const FftBlocks& blocks = stencil_.fft->blocks;
  const Index element = sizeof(T);
  const auto allocate = [&](Index bytes) {
    return executor.allocate(std::size_t(SideStreams::lanes * bytes));
  };
  const bool has_panel = !along_x_ && !fits_fft_columns<T>(log_points(blocks));
  if (on_chip_ && !has_panel) return;
  lanes_.emplace();
  at_once_ = fft_pieces_at_once(blocks, element, along_x_, !on_chip_);
  if (!on_chip_) {
    scratch_ = allocate(at_once_ * fft_transform_bytes(blocks, element));
    bad_ = allocate(at_once_ * Index(sizeof(unsigned)));
  }
  if (has_panel) panel_ = allocate(at_once_ * fft_line_bytes(blocks, element));
}

template <class T>
FftTables<T> CudaFft<T>::tables() const {
  const auto data = [](const Memory& memory) {
    return reinterpret_cast<const Complex<T>*>(memory.get());
  };
  const std::vector<int>& radices = stencil_.fft->radices;
  const int fours = int(std::count(radices.begin(), radices.end(), 4));
  return {log_points(stencil_.fft->blocks),
          fours,
          int(radices.size()) - fours,
          data(twiddles_),
          data(turns_),
          data(spectrum_)};
}

template <class T>
void CudaFft<T>::run(const T* taps, FieldView<const T> source, FieldView<T> target,
                     const Anchor& anchor, CUstream_st* stream) const {
  if (points(target.extent) == 0) return;
  FftPieces<T> pieces = make_fft_pieces(stencil_, taps, source, target, anchor);
  if (!lanes_)
    return along_x_ ? launch_fft_lines(tables(), pieces, 0, pieces.count, stream)
                    : launch_fft_columns(tables(), pieces, stream);
  lanes_->fork(stream);
  int lane = 0;
  for (Index first = 0; first < pieces.count; first += at_once_) {
    run_part(pieces, first, lane, lanes_->lane(lane, stream));
    lane = (lane + 1) % SideStreams::lanes;
  }
  lanes_->join(stream);
}

/// Computes the pieces that use device memory at the same time: at most at_once_ pieces, from
/// `first` on.
template <class T>
void CudaFft<T>::run_part(FftPieces<T> pieces, Index first, int lane, CUstream_st* stream) const {
  const FftBlocks& blocks = stencil_.fft->blocks;
  const Index count = std::min(at_once_, pieces.count - first), before = lane * at_once_;
  if (!along_x_) {
    pieces.panel_pitch = fft_line_bytes(blocks, 1);
    pieces.panel = reinterpret_cast<T*>(panel_.get()) + before * pieces.panel_pitch;
    pieces.panel_first = first;
    launch_fft_fill_panel(pieces, count, stream);
  }
  if (on_chip_)
    launch_fft_lines(tables(), pieces, first, count, stream);
  else
    launch_fft_in_memory(tables(), pieces, first, count,
                         reinterpret_cast<Complex<T>*>(
                             scratch_.get() + before * fft_transform_bytes(blocks, sizeof(T))),
                         reinterpret_cast<unsigned*>(bad_.get()) + before, stream);
  if (!along_x_) launch_fft_empty_panel(pieces, count, stream);
}

template <class T>
std::string fft_name(const Stencil<T>& stencil) {
  if (stencil.fft_tiles)
    return fmt::format("cuda fft tiles {}x{}, transforms of {}x{}", stencil.height, stencil.width,
                       stencil.fft_tiles->tiles.y.points, stencil.fft_tiles->tiles.x.points);
  return fmt::format("cuda fft {} {}, transforms of {}", stencil.height > 1 ? "column" : "line",
                     stencil.height * stencil.width, stencil.fft->blocks.points);
}

template class CudaFft<float>;
template class CudaFft<double>;
template std::string fft_name(const Stencil<float>&);
template std::string fft_name(const Stencil<double>&);

}  // namespace stencil::cuda
