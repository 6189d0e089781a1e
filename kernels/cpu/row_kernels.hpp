#pragma once

#include "framework/grid/shape.hpp"
#include "kernels/cpu/fft_pair.hpp"
#include "kernels/cpu/fft_tile.hpp"

namespace stencil::cpu {

/// One term of a sum: the input `offset` elements after an output's first input, times `value`.
template <class T>
struct Tap {
  Index offset;
  T value;
};

/// Largest number of rows that sum_rows computes at once.
inline constexpr int most_rows = 4;
/// Largest number of output channels that sum_channels computes at once.
inline constexpr int most_channels = 4;

/// Largest number of rows of inputs of one call of sweep_rows.
inline constexpr int most_sweep = 32;

/// One step of a walk down the rows of a panel: `count` rows of inputs, each of which is multiplied
/// by all rows of the mask. Sums that do not include all rows of the mask yet are kept in `state`
/// for the next step.
template <class T>
struct RowSweep {
  const T* const* rows;  ///< `count` rows of inputs, following those of the previous step
  Index count;           ///< at most most_sweep
  const T* taps;         ///< `[height, width]`
  Index height, width;
  bool skip_zeros;  ///< taps of exactly 0 are not multiplied by their inputs
  bool begins;      ///< the first step of a walk: `state` has no sums yet
  T* state;         ///< sweep_state(height, n) elements that are kept from step to step
  /// The outputs that the input rows `first ... count - 1` complete, one row of outputs for each.
  /// The first height - 1 input rows of a walk complete no outputs.
  T* target;
  Index first, pitch;
  Index n;
  bool stream;  ///< use streaming stores; the alignment of the target is the same in every step
  Index ahead;  ///< elements from an input to the corresponding input of the next step, for
                ///< prefetching
  /// Number of elements between the inputs of adjacent taps of a row: 1, or the distance between
  /// two arrays if every tap reads a separate array.
  Index across = 1;
};

/// Number of elements of RowSweep::state: a row of sums for each row of taps, with padding for
/// vectors that extend beyond its ends.
inline Index sweep_state(Index height, Index n) {
  return checked_multiply(height, n + 64);
}

/// How the sums of a step are used.
enum class StepGoal {
  again,  ///< input of a later pass: NaN need not be replaced by the quiet NaN
  store,
  stream  ///< streaming stores if all rows are aligned to a vector; needs finish_streaming
};

/// Arguments for rows of outputs that are each computed from one row of inputs with the taps of one
/// row:
///
///     target[y * pitch + x] = sum_i taps[i] * rows[y][x + i]
template <class T>
struct LineSums {
  const T* const* rows;  ///< `count` rows of n + width - 1 inputs
  Index count;
  const T* taps;
  Index width;
  T* target;
  Index pitch, n;
  bool stream;  ///< use streaming stores
  /// When an input is read, the input that is this number of elements after it is prefetched.
  Index ahead;
};

/// Arguments for rows of outputs that are each computed from adjacent rows of inputs in one plane
/// or several planes:
///
///     target[y * pitch + x] = sum_{k, j, i} taps[k, j, i] * rows[k, y + j][x + i]
template <class T>
struct RowSums {
  const T* const* rows;  ///< `[depth, count + height - 1]` rows of n + width - 1 inputs
  Index count;           ///< number of rows of outputs: at most most_rows, and at most `height`
  const T* taps;         ///< `[depth, height, width]`
  Index depth, height, width;
  bool skip_zeros;  ///< taps of exactly 0 are not multiplied by their inputs
  T* target;
  Index pitch, n;
  bool stream;  ///< use streaming stores
};

/// Arguments for rows of outputs that are each computed from adjacent rows of inputs with the taps
/// of one column:
///
///     target[y * pitch + x] = sum_j taps[j] * rows[y + j][x]
template <class T>
struct ColumnSums {
  const T* const* rows;  ///< count + height - 1 rows of n inputs
  Index count;
  const T* taps;
  Index height;
  bool skip_zeros;  ///< taps of exactly 0 are not multiplied by their inputs
  T* target;
  Index pitch, n;
  bool stream;  ///< use streaming stores
  /// `count` rows to prefetch, or null.
  const T* const* soon;
};

/// The inner loops of every walk, for one vector extension. They compute rows of outputs without
/// any boundary test, by one fused multiply-add per tap in the order of the taps, starting from +0.
/// Targets do not overlap other memory. Every NaN in the output is the same quiet NaN; otherwise
/// the NaN would depend on the order of the operands of an instruction.
template <class T>
struct RowKernels {
  /// `target[x] = sum_k taps[k].value * source[x * step + taps[k].offset]`, x in [0, n).
  ///
  /// @param stream  whether to use streaming stores; if so, the caller must call finish_streaming
  ///                after the last row
  void (*sum_row)(const Tap<T>* taps, Index count, const T* source, Index step, bool stream,
                  T* target, Index n);

  /// Computes rows of outputs together; each input is loaded once for all rows. See RowSums.
  void (*sum_rows)(const RowSums<T>& sums);

  /// Sums whole rows with adjacent taps, none of which is skipped; see LineSums.
  void (*sum_lines)(const LineSums<T>& lines);

  /// Sums whole columns, with many rows of outputs in registers; see ColumnSums.
  void (*sum_columns)(const ColumnSums<T>& sums);

  /// Computes one step down the rows of a panel; see RowSweep.
  void (*sweep_rows)(const RowSweep<T>& sweep);

  /// Computes rows of outputs of a 3 x 3 mask, whose taps are in registers. Each row has a separate
  /// target:
  ///
  ///     targets[y][x] = sum_{j, i} taps[j * 3 + i] * rows[y + j][x + i]
  ///
  /// @param rows  count + 2 rows of inputs
  /// @param plus  the taps in the four corners are skipped
  void (*step_rows)(const T* const* rows, const T* taps, bool plus, int count, StepGoal goal,
                    T* const* targets, Index n);

  /// Computes one row of each of `count` output channels, which have different taps and the same
  /// inputs. Each input is loaded once for all channels:
  ///
  ///     target[k * pitch + x] = sum_t values[t * count + k] * source[x * step + offsets[t]]
  ///
  /// @pre 1 <= count <= most_channels
  void (*sum_channels)(const Index* offsets, const T* values, Index taps, int count,
                       const T* source, Index step, T* target, Index pitch, Index n);

  /// Executes a store fence, so that results of streaming stores are visible before any later store
  /// of the thread.
  void (*finish_streaming)();

  /// Splits a row of inputs: `target[p * pitch + k] = source[k * step + p]`, p in [0, parts), for
  /// all inputs that exist.
  /// @pre parts <= step
  void (*split_row)(const T* source, Index inputs, Index step, Index parts, T* target, Index pitch);

  /// Returns whether a row has neither NaN nor infinities.
  bool (*all_finite)(const T* row, Index n);

  /// `target = NaN in source ? 0 : source`
  void (*copy_valid)(const T* source, T* target, Index n);
  /// `target = NaN in source ? 0 : 1`
  void (*mark_valid)(const T* source, T* target, Index n);

  /// Rescales sums over valid points: `target = num` if `den == total`, else `num * (total / den)`;
  /// NaN if `weight < threshold`, `weight == 0` or `den == 0`.
  ///
  /// @param weight  if null, the absolute value of den is used
  /// @param stream  whether to use streaming stores; if so, the caller must call finish_streaming
  ///                after the last row
  void (*rescale_row)(const T* num, const T* den, const T* weight, T total, T threshold,
                      bool stream, T* target, Index n);

  /// Copies n elements with streaming stores.
  /// @pre n elements fill whole cache lines, and both addresses are aligned to 64 bytes
  void (*copy_aligned)(const T* source, T* target, Index n);

  /// Overlap-save of `fft_pairs` pairs of blocks. Bit k of the returned number is set, and the
  /// outputs of pair k are undefined, if the inputs of the pair contain NaN or Inf, or its results
  /// overflow. Only every FftTables::every-th result is tested.
  ///
  /// @param tile  fft_tile elements, aligned to 64 bytes
  unsigned (*convolve_pairs)(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile);
  /// Like convolve_pairs, for `2 * fft_pairs` pairs if the stride is even, so that only the even
  /// outputs are needed. One inverse transform computes the outputs of two pairs. The results of
  /// pairs p and fft_pairs + p are in the target of pair p: in each group of 8 elements, 4 even
  /// outputs of pair p are followed by the corresponding 4 outputs of pair fft_pairs + p.
  ///
  /// @param tiles  2 * fft_tile elements, aligned to 64 bytes
  /// @return       bit k is set if the outputs of pair k are undefined
  unsigned (*decimate_pairs)(const FftTables<T>& tables, const FftPair<T>* pairs, T* tiles);
  /// The two halves of convolve_pairs, with the same bits. transform_pairs transforms the inputs
  /// and stores the result in `kept`. invert_pairs, which is called once per spectrum, multiplies
  /// this result by the spectrum and transforms the product back to the outputs.
  ///
  /// @param kept  fft_kept elements, aligned to 64 bytes; not changed by invert_pairs
  void (*transform_pairs)(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile, T* kept);
  unsigned (*invert_pairs)(const FftTables<T>& tables, const FftPair<T>* pairs, T* tile, T* kept);
  int fft_pairs;

  /// Transposes: `to[c * to_pitch + r] = from[r * from_pitch + c]`.
  ///
  /// @param fetched   `from` is in memory, not in a cache, and is prefetched
  /// @param streamed  use streaming stores for whole vectors; `to` and its columns are aligned to
  ///                  vectors. Call finish_streaming afterwards
  void (*transpose)(const T* from, Index from_pitch, Index rows, Index columns, T* to,
                    Index to_pitch, bool fetched, bool streamed);

  /// Overlap-save of one tile of a 2D mask.
  ///
  /// @param memory  fft_tile_memory elements, aligned to 64 bytes
  /// @return  whether a result is not finite because the tile contains NaN or Inf or a value
  ///          overflows
  bool (*convolve_tile)(const FftTileTables<T>& tables, const FftTile<T>& tile, T* memory);

  /// The parts of convolve_tile for masks of several planes: transform_tile transforms the inputs
  /// and keeps the result in a slot of a ring, sum_tiles multiplies with the spectra and sums over
  /// the planes, and invert_tile transforms such a sum back to outputs.
  ///
  /// @param memory  fft_tile_memory elements, aligned to 64 bytes
  void (*transform_tile)(const FftTileTables<T>& tables, const FftTile<T>& tile, T* memory,
                         const FftTileRing<T>& ring, Index slot);
  void (*sum_tiles)(const FftTileTables<T>& tables, const FftTileSums<T>& sums);
  /// @param sum  a target of sum_tiles; changed
  /// @return     whether a result is not finite
  bool (*invert_tile)(const FftTileTables<T>& tables, const FftTile<T>& tile, T* sum, T* memory);

  /// Computes `rounds` times `adds_per_round` fused multiply-adds in registers, to measure the peak
  /// rate. Returns a number that depends on all multiply-adds.
  T (*multiply_adds)(Index rounds, T factor);
  Index adds_per_round;
};

}  // namespace stencil::cpu
