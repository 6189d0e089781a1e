#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/cuda/device_attributes.hpp"
#include "kernels/cuda/generated/launch_instance.cuh"
#include "kernels/cuda/production/kernel_arguments.hpp"

namespace stencil::cuda {

/// Number of blocks of a kernel that run at once on one multiprocessor; 0 if not even one fits.
inline int resident_blocks(const LoadedKernel& kernel, int threads, std::size_t bytes) {
  if (bytes > most_shared_bytes()) return 0;
  kernel.allow_shared_bytes(bytes);
  return kernel.resident_blocks(threads, bytes);
}

/// Returns the number of tiles of a run for which the GPU needs the least time. The time is
/// proportional to the number of waves of resident blocks, rounded up. Runs are limited in length,
/// so that kernels of a stream of higher priority can start soon.
///
/// @param lines       number of lines of `tiles` tiles each
/// @param resident    number of blocks that run at once
/// @param rows, kept  number of rows of a tile, and of the rows of row sums above it that each run
///        computes first
inline long best_run(long tiles, long lines, long resident, long rows, long kept) {
  constexpr long longest = 32;
  long best = 1, least = 0;
  for (long run = 1; run <= std::min(tiles, longest); ++run) {
    const long blocks = (tiles + run - 1) / run * lines;
    const long work = (blocks + resident - 1) / resident * (2 * run * rows + kept);
    if (run > 1 && work >= least) continue;
    best = run;
    least = work;
  }
  return std::max(best, (tiles + most_grid_side - 1) / most_grid_side);
}

inline long divide_up(long a, long b) {
  return (a + b - 1) / b;
}

/// Returns the number of parts into which the rows of strips are divided for warps that sweep down.
/// For each number of rounds of resident blocks, the function considers the largest number of parts
/// whose blocks run in these rounds. Of these numbers of parts, it returns the one for which the
/// GPU computes the fewest rows.
///
/// @param blocks    number of blocks for one part
/// @param resident  number of blocks that the GPU runs at once
/// @param extra     rows that each part passes in addition to its own
inline long best_parts(long rows, long blocks, long resident, long extra) {
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

/// Returns the number of rows of outputs for each warp that walks down a strip, if each warp is a
/// block. This number is a multiple of `unit`. The warps of each of the four schedulers of a
/// multiprocessor take turns, so the time is proportional to the rows that a warp passes and to the
/// warps of a scheduler. Each round of blocks adds the time of half a warp, if there are too few
/// warps to hide the latency. On an H200, this model predicts which choice is the fastest.
///
/// @param walks     number of warps for one part
/// @param resident  number of blocks of a multiprocessor to plan for, at most those that fit
/// @param extra     rows that each part reads in addition to its own
/// @param longest   largest number of rows of a part. Short parts are close together in memory, and
///                  on grids of several waves of blocks, kernels of a stream of higher priority can
///                  start sooner.
inline long rows_of_walks(long rows, long walks, long resident, long extra, long unit,
                          long longest) {
  const long schedulers = 4L * multiprocessors(), most = std::max(1L, resident / 4);
  const auto part_of = [&](long parts) { return divide_up(divide_up(rows, parts), unit) * unit; };
  long best = 0, least = 0;
  for (long wanted = 1; wanted <= 8 * most; ++wanted) {
    const long parts = std::clamp(wanted * schedulers / walks, 1L, std::min(rows, most_grid_side));
    const long part = part_of(parts);
    if (part > longest) continue;
    const long load = divide_up(divide_up(rows, part) * walks, schedulers);
    const long work = (part + extra) * (2 * load + divide_up(load, most));
    if (best > 0 && work >= least) continue;
    best = part;
    least = work;
  }
  if (best > 0) return best;
  return part_of(std::min(divide_up(rows, longest), most_grid_side));
}

}  // namespace stencil::cuda
