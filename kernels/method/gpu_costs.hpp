#pragma once

#include "kernels/fft/fft_blocks.hpp"
#include "kernels/fft/fft_tiles.hpp"
#include "kernels/mask.hpp"
#include "kernels/method/method_site.hpp"
#include "kernels/method/way_work.hpp"

namespace stencil {

// Amounts of work of the methods of summing a mask on a GPU (kernels/method/way_work.hpp). They are
// computed without a GPU.
//
// Amounts of sums by taps:
// 0. launches: sweeps, times the bands into which a large mask is cut;
// 1. points that are read or written;
// 2. multiply-adds;
// 3. multiply-adds except for the first 40 of each output, which overlap with memory traffic;
// 4. outputs;
// 5. outputs that a further band reads and writes again; with wide strides, multiply-adds whose
//    inputs do not fit into shared memory, or those of a kernel that computes every row sum anew;
// 6. outputs times the rows of the mask except one: rows that a tile reads in addition to its own;
// 7. sweeps times the multiply-adds of an output: the time of one tile;
// 8. number of kernels that are generated for the mask and must be loaded: 1 or 0;
// 9. always 1: the rest of the time for making the kernel;
// 10. multiply-adds of tensor cores (float64), which process whole groups of columns, or
//     multiply-adds of kernels that are slower than others of their way;
// 11. multiply-adds along rows, if there are two passes; with strides, or if taps are
//     listed, inputs.
//
// Amounts of transforms:
// 0. sweeps;
// 1. points that are read or written;
// 2. complex points that are transformed;
// 3. amount 2 times log2 of the points of a transform;
// 4. outputs;
// 5. complex points of transforms along columns, if a single column does not fit into shared
//    memory;
// 6. always 0;
// 7. parts of the work that are launched one after the other;
// 8. points of the tables, which are made once;
// 9. always 1: the time for making the tables;
// 10. outputs that a stride skips;
// 11. sweeps times the points of a transform: the time of one transform.

WayWork gpu_work_by_taps(const Mask& mask, Index terms, const MethodSite& site);
WayWork gpu_work_by_blocks(const FftBlocks& blocks, const Mask& mask, const MethodSite& site);
WayWork gpu_work_by_tiles(const FftTiles& tiles, const MethodSite& site);

/// Returns the time in seconds for moving the inputs and the outputs of the world once between host
/// and GPU. Kernels run at the same time, so kernels that take less time do not delay the run.
double gpu_transfer_seconds(const Taps& taps, const MethodSite& site);

/// Returns the time gpu_transfer_seconds() as a cost: the number of multiply-adds per output and
/// step that take the same time.
double gpu_transfer_in_taps(const Taps& taps, const MethodSite& site);

}  // namespace stencil
