#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/stencil.hpp"

namespace stencil::generated {

/// The mask of a time step, as far as the source of a kernel depends on it: the values of the taps
/// are not part of it.
struct StepMask {
  int element = 4;            ///< bytes: 4 (float) or 8 (double)
  int height = 1, width = 1;  ///< odd; the centre is the middle
  bool is_separable = false;  ///< a row, then a column
  std::vector<bool>
      multiplied{};  ///< of a direct mask `[height, width]`: taps that are not skipped

  /// Multiply-adds of an output.
  int adds() const;
};

/// How a block computes several steps (step_walk.cu). It does not change the bits of the results.
struct StepWalk {
  int depth = 1;     ///< steps of a sweep
  int levels = 1;    ///< steps of a warp, at most
  int chunks = 2;    ///< pieces of 16 bytes that a lane has in a row
  int turn = 1;      ///< rows between two barriers of a block
  int resident = 1;  ///< blocks that a multiprocessor should hold

  static constexpr int ring = 4;  ///< turns of inputs that shared memory holds
  int warps() const { return (depth + levels - 1) / levels; }  ///< of a block
  /// Bytes of shared memory of a block.
  std::size_t bytes() const;
};

/// Columns of inputs that a strip has beside those of its outputs, left and right together.
int lost_columns(const StepMask& mask, int depth);
/// Columns of outputs of a strip; 0 or less where nothing would remain.
int output_columns(const StepMask& mask, const StepWalk& walk);

/// The mask of a stencil whose time steps have generated kernels. None for strides, transforms,
/// renormalized sums and sums of several separable masks, masks of more than 9 rows or columns or
/// of an even number, and factors with taps that are skipped.
///
/// @param reach  rows above and columns left of an output under the mask; those below and on the
///               right are as many
template <class T>
std::optional<StepMask> step_mask(const Stencil<T>& stencil, std::array<Index, 2> reach);

/// The same for the taps of a direct mask.
///
/// @param taps  `[height, width]`
template <class T>
std::optional<StepMask> direct_step_mask(int element, Index height, Index width,
                                         const std::vector<T>& taps, bool multiply_zeros);
/// The same for one column and one row.
template <class T>
std::optional<StepMask> separable_step_mask(int element, const std::vector<T>& column,
                                            const std::vector<T>& row, bool multiply_zeros);

/// The fastest number of steps in a sweep over a large field; 1 where several steps gain nothing.
int deepest_sweep(const StepMask& mask);

/// The walk that is expected to be the fastest for a number of steps.
///
/// @pre 1 <= depth <= most_depth
StepWalk make_step_walk(const StepMask& mask, int depth);
inline constexpr int most_depth = 32;

/// The taps in the order in which the kernels take them.
template <class T>
std::vector<T> step_taps(const Stencil<T>& stencil);

}  // namespace stencil::generated
