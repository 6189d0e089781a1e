#include "kernels/cuda/fft/cuda_fft_tiles.hpp"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "framework/device/cuda/check.hpp"
#include "framework/grid/error.hpp"
#include "kernels/cuda/fft/memory.hpp"
#include "kernels/cuda/fft/uploaded_twiddles.hpp"
#include "kernels/cuda/uploaded.hpp"

namespace stencil::cuda {
namespace {

/// Uploads the spectrum as `[columns, rows]`, with the real and the imaginary part of a number
/// adjacent.
template <class T>
Memory uploaded_spectrum(CudaExecutor& executor, const FftTilePlan<T>& plan) {
  const Index rows = plan.rows(), columns = plan.tiles.x.points;
  std::vector<T> pairs;
  pairs.reserve(2 * rows * columns);
  for (Index x = 0; x < columns; ++x)
    for (Index y = 0; y < rows; ++y) {
      const FftSixteen<T>& sixteen = plan.spectrum[y / 16 * columns + x];
      pairs.push_back(sixteen.re[y % 16]);
      pairs.push_back(sixteen.im[y % 16]);
    }
  return uploaded(executor, pairs);
}

template <class T>
AxisPasses<T> passes_of(const std::vector<int>& radices, Index points, const Memory& twiddles) {
  return {std::countr_zero(static_cast<std::uint64_t>(points)),
          int(std::count(radices.begin(), radices.end(), 4)),
          reinterpret_cast<const Complex<T>*>(twiddles.get())};
}

/// Clears the marks of all tiles.
void clear(const TileMarks& marks, CUstream_st* stream) {
  const std::size_t bytes = std::size_t(marks.most) * sizeof *marks.marked;
  check(cudaMemsetAsync(marks.marked, 0, bytes, stream), "clearing marks");
  check(cudaMemsetAsync(marks.count, 0, sizeof *marks.count, stream), "clearing marks");
}

}  // namespace

template <class T>
CudaFftTiles<T>::CudaFftTiles(CudaExecutor& executor, const Stencil<T>& stencil, Index most_marked)
    : stencil_(stencil) {
  FftTilePlan<T>& plan = *stencil_.fft_tiles;
  const Index columns = plan.tiles.x.points, element = sizeof(T);
  row_twiddles_ = uploaded_twiddles(executor, plan.row_twiddles, plan.row_radices, columns);
  column_twiddles_ =
      uploaded_twiddles(executor, plan.column_twiddles, plan.column_radices, plan.rows());
  weights_ = uploaded(executor, plan.weights);
  spectrum_ = uploaded_spectrum(executor, plan);
  plan.drop_tables();
  if (fits_fft_tile(tables())) return;
  if (!fits_fft_tile_column(tables()))
    throw MachineError(fmt::format(
        "transforms of {} rows do not fit into this GPU's shared memory: use method = direct, or "
        "backend = cpu",
        plan.rows()));
  lanes_.emplace();
  at_once_ = fft_tiles_at_once(plan.tiles, element);
  marked_ = most_marked > 0 ? most_marked : fft_tiles_marked(plan.tiles, element);
  const Index mark = sizeof(unsigned);
  scratch_ = executor.allocate(
      std::size_t(SideStreams::lanes * at_once_ * fft_tile_points_bytes(plan.tiles, element)));
  marks_ = executor.allocate(std::size_t((2 * marked_ + 1) * mark));
  cells_ = executor.allocate(std::size_t(marked_ * fft_tile_cells(plan.tiles) * mark));
}

template <class T>
TileTables<T> CudaFftTiles<T>::tables() const {
  const FftTilePlan<T>& plan = *stencil_.fft_tiles;
  return {int(plan.rows()),
          int(plan.tiles.x.points),
          passes_of<T>(plan.column_radices, plan.rows(), column_twiddles_),
          passes_of<T>(plan.row_radices, plan.tiles.x.points, row_twiddles_),
          reinterpret_cast<const Complex<T>*>(weights_.get()),
          reinterpret_cast<const Complex<T>*>(spectrum_.get())};
}

template <class T>
TileMarks CudaFftTiles<T>::marks(Index first) const {
  const FftTiles& tiles = stencil_.fft_tiles->tiles;
  auto* const marked = reinterpret_cast<unsigned*>(marks_.get());
  auto* const bad = reinterpret_cast<int*>(marked + marked_);
  return {.first = first,
          .most = marked_,
          .marked = marked,
          .count = bad + marked_,
          .bad = bad,
          .cells = reinterpret_cast<int*>(cells_.get()),
          .cells_of_tile = fft_tile_cells(tiles)};
}

template <class T>
Complex<T>* CudaFftTiles<T>::scratch(int lane) const {
  const Index tile = fft_tile_points_bytes(stencil_.fft_tiles->tiles, sizeof(T));
  return reinterpret_cast<Complex<T>*>(scratch_.get() + lane * at_once_ * tile);
}

template <class T>
void CudaFftTiles<T>::run(const T* taps, FieldView<const T> source, FieldView<T> target,
                          const Anchor& anchor, CUstream_st* stream) const {
  if (points(target.extent) == 0) return;
  const TileViews<T> views = make_tile_views(stencil_, taps, source, target, anchor);
  if (!lanes_) return launch_fft_tiles_on_chip(tables(), views, stream);
  for (Index begin = 0; begin < views.count;) {
    const TileMarks some = marks(begin);
    const Index end = std::min<Index>(views.count, begin + some.most);
    clear(some, stream);
    lanes_->fork(stream);
    int lane = 0;
    for (Index first = begin; first < end; first += at_once_) {
      launch_fft_tiles_in_memory(tables(), views, first, std::min(at_once_, end - first),
                                 scratch(lane), some, lanes_->lane(lane, stream));
      lane = (lane + 1) % SideStreams::lanes;
    }
    lanes_->join(stream);
    launch_fft_tiles_mend(tables(), views, some, scratch(0), int(SideStreams::lanes * at_once_),
                          stream);
    begin = end;
  }
}

template class CudaFftTiles<float>;
template class CudaFftTiles<double>;

}  // namespace stencil::cuda
