#include "kernels/cuda/production/tiling.hpp"

#include <algorithm>
#include <cstdint>

namespace stencil::cuda {

template <class T>
Alignment align_tiles(const Sweep<T>& sweep) {
  const auto bytes = [](long elements) { return std::uintptr_t(elements) * sizeof(T); };
  const auto address = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const bool one_batch = sweep.batches == 1;
  Alignment result;
  std::uintptr_t pitches = sweep.rows == 1 ? 0 : bytes(sweep.target_row);
  if (!one_batch) pitches |= bytes(sweep.target_batch);
  if (pitches % 16 == 0) {
    result.aligned_target = true;
    result.shift = int(address(sweep.target) % 16 / sizeof(T));
  }
  std::uintptr_t source = address(sweep.source) - bytes(result.shift);
  source |= sweep.rows == 1 && sweep.height == 1 ? 0 : bytes(sweep.source_row);
  if (!one_batch) source |= bytes(sweep.source_batch);
  result.granule = source % 16 == 0 ? 16 : source % 8 == 0 ? 8 : 4;
  return result;
}

template Alignment align_tiles(const Sweep<float>&);
template Alignment align_tiles(const Sweep<double>&);

template <class T>
Tiling cut_tiles(const Sweep<T>& sweep, int width, int step, long blocks) {
  const auto ceiling = [](long a, long b) { return (a + b - 1) / b; };
  Tiling tiling;
  tiling.strips = ceiling(sweep.columns + align_tiles(sweep).shift, width);
  // The first rows of a segment are computed or read twice: long segments. A GPU that runs dry at
  // the end: many of them.
  const long for_halo = 24L * (sweep.height - 1);
  const long all_steps = ceiling(sweep.rows, step);
  const long per_block = ceiling(all_steps * tiling.strips * sweep.batches, 8 * blocks);
  long steps = std::max(12L, ceiling(for_halo, step));
  steps = std::max(1L, std::min({steps, per_block, all_steps}));
  steps = std::max(steps, ceiling(all_steps, most_grid_side));
  tiling.segment_rows = int(steps * step);
  tiling.segments = ceiling(sweep.rows, tiling.segment_rows);
  return tiling;
}

template Tiling cut_tiles(const Sweep<float>&, int, int, long);
template Tiling cut_tiles(const Sweep<double>&, int, int, long);

}  // namespace stencil::cuda
