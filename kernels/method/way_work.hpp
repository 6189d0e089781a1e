#pragma once

#include <array>
#include <string>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Methods of summing a mask that have separate costs, because their inner loops differ.
enum class Way {
  line,               ///< along x
  line_strided,       ///< inputs are split by their remainder modulo the stride first
  column,             ///< along y, or along batch
  column_strided,     ///< one row of outputs after the other
  dense,              ///< a sweep down the rows
  dense_zeros,        ///< like dense, with taps of 0 skipped
  dense_rows,         ///< some rows of outputs at a time, for grids of few rows
  dense_strided,      ///< one row of outputs after the other
  separable,          ///< row sums in a ring, columns in blocks
  separable_strided,  ///< row sums in a ring, one row of outputs after the other
  sum,                ///< several separable terms, a sweep down the rows
  sum_rows,           ///< several separable terms, one row of outputs after the other
  fft_line,
  fft_column,  ///< columns are transposed to panels
  fft_tiles,
  // On GPUs, with different amounts (kernels/method/gpu_costs.hpp):
  gpu_line,
  gpu_line_long,  ///< many taps: limited by multiply-adds
  gpu_line_strided,
  gpu_column,
  gpu_column_long,
  gpu_column_strided,
  gpu_dense,
  gpu_dense_large,
  gpu_dense_strided,
  gpu_sparse,  ///< zeros are skipped by a kernel that is generated for the mask
  gpu_sparse_large,
  gpu_listed,  ///< few taps that are not 0, which a kernel lists
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
inline constexpr int ways = 15, gpu_ways = 26;

/// Returns the name of a way: `line strided`.
std::string to_string(Way way);

/// The amounts of work of one method of summing a mask, for all steps on all points of the world.
/// The time is the sum of the amounts, each multiplied by its cost in the table of the method and
/// the type.
struct WayWork {
  static constexpr int kinds = 12;

  Way way = Way::line;
  double outputs = 0;
  /// Amounts of sums by taps on CPUs:
  /// 0. outputs, and row sums, whose memory traffic does not overlap with multiply-adds;
  /// 1. multiply-adds (along rows, if there are two passes);
  /// 2. multiply-adds along columns, if there are two passes;
  /// 3. rows of outputs in panels;
  /// 4. amount 3 times the mask's rows;
  /// 5. inputs that are split for a stride, or skipped along columns, or (sum_rows) multiply-adds
  ///    of single inputs;
  /// 6. sweeps;
  /// 7. if the world exceeds the caches, amount 0, or with strides the inputs that are read;
  /// 8. always 0;
  /// 9. amount 0, if the world exceeds the second-level cache;
  /// 10. amount 3 times the multiply-adds of one output: work at the beginning of each tap;
  /// 11. multiply-adds (with two passes: those along columns) times the number of doublings, at
  ///     most four, by which the rows that are read again exceed half of the first-level cache.
  ///
  /// Amounts of transforms on CPUs:
  /// 0. outputs;
  /// 1. complex points (multiplied by 0.85 if one inverse transform is computed for two pairs);
  /// 2. amount 1 times log2 of the points of a transform;
  /// 3. and 4. amount 1 times the doublings by which a transform exceeds a share of the
  ///           second-level and of the third-level cache;
  /// 5. inputs and outputs, if the world exceeds the caches;
  /// 6. sweeps;
  /// 7. amount 1 times the doublings, at most two, by which a transform exceeds half of the
  ///    first-level cache;
  /// 8. points of the tables, which are made once;
  /// 9. for tiles, points that are read without a copy from addresses not aligned to cache lines;
  ///    along x, the number of lines;
  /// 10. for tiles, points that are copied, because inputs or outputs end within their tile or
  ///     because of a stride; along x, the points of lines with a stride;
  /// 11. amount 1 times the doublings, at most three, by which a transform exceeds 64 KiB.
  std::array<double, kinds> amounts{};
};

/// Returns the time of the work per output and step, expressed as the number of multiply-adds in
/// registers, of the CPU or the GPU, that take the same time.
double cost_in_taps(const WayWork& work, Index element);

}  // namespace stencil
