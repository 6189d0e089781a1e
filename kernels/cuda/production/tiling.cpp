#include "kernels/cuda/production/tiling.hpp"

#include <algorithm>
#include <cstdint>

namespace stencil::cuda {

template <class T>
Alignment align_tiles(const KernelArguments<T>& arguments) {
  const auto bytes = [](long elements) { return std::uintptr_t(elements) * sizeof(T); };
  const auto address = [](const T* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const bool one_batch = arguments.batches == 1;
  Alignment result;
  std::uintptr_t pitches = arguments.rows == 1 ? 0 : bytes(arguments.target_row);
  if (!one_batch) pitches |= bytes(arguments.target_batch);
  if (pitches % 16 == 0) {
    result.aligned_target = true;
    result.shift = int(address(arguments.target) % 16 / sizeof(T));
  }
  std::uintptr_t source = address(arguments.source) - bytes(result.shift);
  source |= arguments.rows == 1 && arguments.height == 1 ? 0 : bytes(arguments.source_row);
  if (!one_batch) source |= bytes(arguments.source_batch);
  result.granule = source % 16 == 0 ? 16 : source % 8 == 0 ? 8 : 4;
  return result;
}

template Alignment align_tiles(const KernelArguments<float>&);
template Alignment align_tiles(const KernelArguments<double>&);

template <class T>
Tiling cut_tiles(const KernelArguments<T>& arguments, int width, int step, long blocks) {
  const auto ceiling = [](long a, long b) { return (a + b - 1) / b; };
  Tiling tiling;
  tiling.strips = ceiling(arguments.columns + align_tiles(arguments).shift, width);
  // The first rows of a segment are computed or read twice, which favours long segments. A GPU
  // should not run out of work at the end, which favours many segments.
  const long for_halo = 24L * (arguments.height - 1);
  const long all_steps = ceiling(arguments.rows, step);
  const long per_block = ceiling(all_steps * tiling.strips * arguments.batches, 8 * blocks);
  long steps = std::max(12L, ceiling(for_halo, step));
  steps = std::max(1L, std::min({steps, per_block, all_steps}));
  steps = std::max(steps, ceiling(all_steps, most_grid_side));
  tiling.segment_rows = int(steps * step);
  tiling.segments = ceiling(arguments.rows, tiling.segment_rows);
  return tiling;
}

template Tiling cut_tiles(const KernelArguments<float>&, int, int, long);
template Tiling cut_tiles(const KernelArguments<double>&, int, int, long);

long best_parts(long rows, long blocks, long resident, long extra) {
  const auto divide_up = [](long a, long b) { return (a + b - 1) / b; };
  long best = 1, least = 0;
  for (long rounds = 1; rounds <= 8; ++rounds) {
    const long parts = std::clamp(rounds * resident / blocks, 1L, std::min(rows, most_grid_side));
    const long work = divide_up(parts * blocks, resident) * (divide_up(rows, parts) + extra);
    if (least != 0 && work >= least) continue;
    best = parts;
    least = work;
  }
  return best;
}

}  // namespace stencil::cuda
