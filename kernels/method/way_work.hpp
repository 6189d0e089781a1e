#pragma once

#include <array>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Ways to sum a mask that have figures of their own, because their inner loops differ.
enum class Way {
  line,               ///< along x
  line_strided,       ///< inputs are split first
  column,             ///< along y, or along batch
  column_strided,     ///< output row by output row
  dense,              ///< a sweep down the rows
  dense_zeros,        ///< the same, taps of 0 left out
  dense_rows,         ///< some output rows at a time: grids of few rows
  dense_strided,      ///< output row by output row
  separable,          ///< row sums in a ring, columns in blocks
  separable_strided,  ///< row sums in a ring, output row by output row
  sum,                ///< several separable terms, a sweep
  sum_rows,           ///< several separable terms, output row by output row
  fft_line,
  fft_column,  ///< by panels that are transposed
  fft_tiles,
  // On GPUs, with amounts of their own (kernels/method/gpu_costs.hpp):
  gpu_line,
  gpu_line_long,  ///< many taps: multiply-adds bind
  gpu_line_strided,
  gpu_column,
  gpu_column_long,
  gpu_column_strided,
  gpu_dense,
  gpu_dense_large,
  gpu_dense_strided,
  gpu_sparse,  ///< zeros left out by a kernel that is generated for the mask
  gpu_sparse_large,
  gpu_separable,
  gpu_separable_large,
  gpu_separable_strided,
  gpu_sum,
  gpu_valid,  ///< renormalizing
  gpu_separable_valid,
  gpu_steps,  ///< several steps in one sweep
  gpu_steps_separable,
  gpu_fft_line,
  gpu_fft_line_in_memory,  ///< transforms that are larger than shared memory
  gpu_fft_column,
  gpu_fft_column_in_memory,
  gpu_fft_tiles,
  gpu_fft_tiles_in_memory,
};
inline constexpr Way first_gpu_way = Way::gpu_line;
inline constexpr int ways = 15, gpu_ways = 25;

/// `line strided`
std::string to_string(Way way);

/// The amounts of work of one method of summing a mask, for all steps on all points of the world
/// together. The time is the sum of the amounts, each times its figure in the table of the method
/// and the type.
struct WayWork {
  static constexpr int kinds = 12;

  Way way = Way::line;
  double outputs = 0;
  /// Of taps, on CPUs:
  /// 0. outputs, and row sums, whose way through memory is not hidden;
  /// 1. multiply-adds (along rows, where there are two passes);
  /// 2. multiply-adds along columns, where there are two passes;
  /// 3. rows of outputs in panels;
  /// 4. these times the mask's rows;
  /// 5. inputs that a stride splits, or skips along columns, or (sum_rows) multiply-adds of single
  ///    inputs;
  /// 6. sweeps;
  /// 7. amount 0, or with strides the inputs that are read, if the world exceeds the caches;
  /// 8. always 0;
  /// 9. amount 0, if the world exceeds the second-level cache;
  /// 10. amount 3 times the multiply-adds of one output: work that begins with each tap;
  /// 11. multiply-adds (with two passes: those along columns) times the number of doublings, at
  ///     most four, by which the rows that they read again exceed half of the first-level cache.
  ///
  /// Of transforms, on CPUs:
  /// 0. outputs;
  /// 1. complex points (0.85 of them if two pairs are transformed back as one);
  /// 2. points times log2 of the length;
  /// 3. and 4. points times the doublings by which a transform exceeds a share of the second-level
  ///    and of the third-level cache;
  /// 5. inputs and outputs, if the world exceeds the caches;
  /// 6. sweeps;
  /// 7. points times the doublings, at most two, beyond half of the first-level cache;
  /// 8. points of the tables, which are made once;
  /// 9. for tiles, points that are read in place, but not aligned to cache lines; along x, the
  ///    number of lines;
  /// 10. for tiles, points that are copied, because inputs or outputs end within their tile or
  ///     because of a stride; along x, the points of lines with a stride;
  /// 11. points times the doublings, at most three, by which a transform exceeds 64 KiB.
  std::array<double, kinds> amounts{};
};

/// Multiply-adds in registers, of the CPU or the GPU, that take as long, for one output and step.
double cost_in_taps(const WayWork& work, Index element);

}  // namespace stencil
