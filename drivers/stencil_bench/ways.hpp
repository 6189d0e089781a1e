#pragma once

namespace stencil::bench {

/// `stencil_bench ways`: times every method of summing a mask on problems that are read from
/// standard input, one JSON object per line, and prints one line of JSON for each problem.
///
/// A problem has the keys
/// - `type`: float32 or float64
/// - `shape`: `[batch, y, x]` points of the input; without strides, the output has the same shape
/// - `mask`: `dense` (no sum of separable masks), `disk` (dense, with zeros outside of a circle),
///   `star` (zeros except on the two axes), `outer`, `sum 2`, `sum 3`; lines and columns are dense
///   masks of one row or column
/// - `taps`: `[height, width]`
/// - `stride` (`[y, x]`), `steps`, and `min_valid` (missing points are omitted, and taps are
///   positive)
/// - `rounds`: how often each method is timed, alternating with the other methods; 0: no timing
/// - `backend`: `cpu` (default) or `cuda`, the first GPU; with `rounds` = 0 no GPU is needed
/// - `cut`: points of a block of transforms, or of a tile along y and x, if different from the
///   plan's
///
/// The answer has `auto`, the method of `method = auto`; `costs`, the cost of each method that
/// `method = auto` compared; `adds_per_second`, a list of rates of multiply-adds in registers;
/// `transfer`, the estimated seconds of transfers between host and GPU, 0 on CPUs; and for each
/// method its `way` and `amounts` (kernels/method/method_costs.hpp), and two lists of times in
/// seconds: `setup` for computing the tables of the mask, and `compute` for all steps. If OpenMP
/// has one thread, times are processor times, on which other programs have little effect; otherwise
/// they are wall-clock times. On a GPU, `compute` is measured by events and `setup` by the clock of
/// the host.
///
/// @returns exit status
int time_ways();

}  // namespace stencil::bench
