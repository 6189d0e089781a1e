#pragma once

#include <string>
#include <vector>

namespace stencil::bench {

/// `stencil_bench strategies [N]`: sweeps the same random points with every tiling strategy of
/// examples/strategies and with the kernel of stencil_run (`auto`), and prints a table for each
/// mask and element type. Lines have 2^N points, grids 2^(N/2) x 2^(N - N/2); N is 20 to 30, by
/// default 28.
///
/// Columns: `formula`, the multiply-adds per load of an input from global memory that the tile of
/// the strategy should reach far from the ends; `reuse`, the number measured from the loads of the
/// blocks of this sweep (including loads that hit a cache); the time, as median of 15 sweeps
/// between events on the device; `of copy`, the time of a device-to-device copy of the same number
/// of points, measured in the same run, divided by this time. All strategies must produce the same
/// bits.
///
/// @return the exit status: 0; 2 for invalid arguments; 4 without a GPU or in a CPU-only build; 1
///         if the outputs of a strategy differ. Each error is one line on stderr
int compare_strategies(const std::vector<std::string>& words);

}  // namespace stencil::bench
