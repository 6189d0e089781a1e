#pragma once

namespace stencil::bench {

/// `stencil_bench ways`: times every method of summing a mask on problems that are read from
/// standard input, one JSON object per line, and prints one line of JSON for each.
///
/// A problem has the keys
/// - `type`: float32 or float64
/// - `shape`: `[batch, y, x]` points of the input; without strides, the output has the same shape
/// - `mask`: `dense` (no sum of separable masks), `disk` (dense, with zeros outside a circle),
///   `star` (zeros beside both axes), `outer`, `sum 2`, `sum 3`; lines and columns are dense ones
///   of one row or column
/// - `taps`: `[height, width]`
/// - `stride`: `[y, x]`, `steps`, `min_valid` (missing points are left out, and taps are positive),
/// and `rounds`: how
///   often each method is timed (the methods take turns); with 0, nothing is timed
/// - `backend`: `cpu` (default) or `cuda`, the first GPU; without rounds no GPU is needed
/// - `cut`: points of a block of transforms, or of a tile along y and x, if not those of the plan
///
/// The answer has `auto`, the way that `method = auto` takes; `costs`, the ways that it compared;
/// `adds_per_second`, a list of rates of multiply-adds in registers; `transfer`, the seconds that
/// inputs and outputs are estimated to take between host and GPU, 0 on CPUs; and for each way its
/// `way` and `amounts` (kernels/method/method_costs.hpp), and two lists of times in seconds:
/// `setup` for computing the tables of the mask, `compute` for all steps. Times are processor times
/// if OpenMP has one thread, so that other programs on the machine disturb them little; otherwise
/// those of the clock. On a GPU, `compute` is timed by events and `setup` by the clock of the host.
///
/// @returns exit status
int time_ways();

}  // namespace stencil::bench
