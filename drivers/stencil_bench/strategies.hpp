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
/// the strategy should reach far from the ends; `reuse`, the measured number, from the loads of the
/// blocks of this sweep (loads that hit a cache are counted); time, the median of 15 sweeps between
/// events on the device; `of copy`, the time of a device-to-device copy of the same number of
/// points divided by this time, the copy measured in the same run. All strategies must give the
/// same bits.
///
/// @return the exit status: 0; 2 for invalid arguments; 4 without a GPU or in a CPU-only build, 1
///         when the outputs of a strategy differ, each with one line on stderr
int compare_strategies(const std::vector<std::string>& words);

}  // namespace stencil::bench
