#pragma once

#include "kernels/cuda/production/tile.cuh"
#ifndef __CUDACC_RTC__
#include <algorithm>

#include "kernels/cuda/production/launch_plan.cuh"
#endif

namespace stencil::cuda {

/// Division of the tiles of a launch among blocks that sum several tiles, one after the other: each
/// block has `run` neighbouring tiles.
struct TileRuns {
  unsigned strips, rows_of_tiles, run;
};

/// The tiles of one block.
template <class T>
class TileRun {
 public:
  __device__ TileRun(const TileRuns& runs, const KernelArguments<T>& arguments)
      : runs_(runs),
        at_(blockIdx.x * runs.run),
        end_(min(at_ + runs.run, runs.strips * runs.rows_of_tiles * unsigned(arguments.batches))),
        strip_(at_ % runs.strips),
        row_(at_ / runs.strips % runs.rows_of_tiles),
        batch_(at_ / runs.strips / runs.rows_of_tiles) {}

  /// more() returns whether there is a current tile; tile() returns it.
  __device__ bool more() const { return at_ < end_; }
  __device__ Tile<T> tile(const KernelArguments<T>& arguments, const TilePlace& place, int columns,
                          int rows) const {
    return {arguments, place, columns, rows, strip_, row_, batch_};
  }
  __device__ void advance() {
    ++at_;
    if (++strip_ < runs_.strips) return;
    strip_ = 0;
    if (++row_ == runs_.rows_of_tiles) row_ = 0, ++batch_;
  }

 private:
  const TileRuns& runs_;
  unsigned at_, end_, strip_, row_, batch_;
};

#ifndef __CUDACC_RTC__  // host code

/// Returns the number of tiles of a run for which the GPU needs the least time. The time is
/// proportional to the number of waves of resident blocks, rounded up.
inline long tiles_of_run(long tiles, long resident) {
  constexpr long longest = 8;
  long best = 1, least = 0;
  for (long run = std::clamp(tiles / resident, 1L, longest); run >= 1; --run) {
    const long blocks = (tiles + run - 1) / run, work = (blocks + resident - 1) / resident * run;
    if (least > 0 && work >= least) continue;
    best = run;
    least = work;
  }
  return best;
}

/// Launches blocks that sum runs of tiles. The runs are short, so that kernels of a stream of
/// higher priority can start soon.
///
/// @param others  arguments of the kernel after the sweep, the place and the runs
template <class T, class... Others>
void launch_runs(const LoadedKernel& kernel, const KernelArguments<T>& arguments,
                 const TilePlace& place, int columns, int rows, int threads, std::size_t bytes,
                 CUstream_st* stream, const Others&... others) {
  const long strips = (arguments.columns + place.shift + columns - 1) / columns;
  const long rows_of_tiles = (arguments.rows + rows - 1) / rows;
  const long tiles = strips * rows_of_tiles * arguments.batches;
  const long resident =
      std::max(1, resident_blocks(kernel, threads, bytes)) * long(multiprocessors());
  const long run = tiles_of_run(tiles, resident);
  // there are fewer than 2^31 tiles in any memory, because a tile normally has some thousand points
  launch_instance(kernel, dim3(unsigned((tiles + run - 1) / run)), threads, bytes, stream,
                  arguments, place,
                  TileRuns{unsigned(strips), unsigned(rows_of_tiles), unsigned(run)}, others...);
}

#endif

}  // namespace stencil::cuda
