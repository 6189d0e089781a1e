#pragma once

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_tiles.hpp"
#include "kernels/mask.hpp"
#include "kernels/method/method_site.hpp"
#include "kernels/method/way_work.hpp"

namespace stencil {

// What the ways of summing a mask do on a GPU (kernels/method/way_work.hpp). Plain
// arithmetic, the same with and without a GPU. The amounts of sums by taps:
// 0. launches: sweeps, times the bands that a large mask is cut into;
// 1. points that are read or written;
// 2. multiply-adds;
// 3. multiply-adds beyond the first 40 of each output, which pass while points are moved;
// 4. outputs;
// 5. outputs that a further band reads and writes again; with wide strides multiply-adds, whose
//    inputs shared memory does not hold;
// 6. outputs times the rows of inputs above the last one: a tile reads them in addition to its own
// rows;
// 7. sweeps times the multiply-adds of an output: the time of one tile;
// 8. kernels that are generated for the mask and have to be loaded: 1 or 0;
// 9. problems: 1, for the rest of making the kernel;
// 10. multiply-adds of tensor cores (float64), which work on whole groups of columns; multiply-adds
//     of kernels that are slower than others of their way;
// 11. multiply-adds along rows, where there are two passes; with strides, inputs.
//
// Of transforms:
// 0. sweeps;
// 1. points that are read or written;
// 2. complex points that are transformed;
// 3. these times their bits;
// 4. outputs;
// 5. complex points of transforms along columns that shared memory does not hold one of;
// 6. nothing;
// 7. parts of the work that are launched one after the other;
// 8. points of the tables, made once;
// 9. problems: 1, for making the tables;
// 10. outputs that a stride leaves out;
// 11. sweeps times the points of a transform: the time of one of them.

WayWork gpu_work_by_taps(const Mask& mask, Index terms, const MethodSite& site);
WayWork gpu_work_by_blocks(const FftBlocks& blocks, const Mask& mask, const MethodSite& site);
WayWork gpu_work_by_tiles(const FftTiles& tiles, const MethodSite& site);

/// Seconds for moving the inputs and the outputs of the world once between host and GPU. Kernels
/// run at the same time, so those that take less time do not delay the run.
double gpu_transfer_seconds(const Taps& taps, const MethodSite& site);

/// The time gpu_transfer_seconds() as the number of multiply-adds that take as long, for one output
/// and step.
double gpu_transfer_in_taps(const Taps& taps, const MethodSite& site);

}  // namespace stencil
