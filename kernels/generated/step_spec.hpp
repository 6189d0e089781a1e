#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "kernels/stencil.hpp"

namespace stencil::generated {

/// The properties of the mask of a time step on which the source of a kernel depends. The values of
/// the taps are not among these properties.
struct StepMask {
  int element = 4;                 ///< bytes: 4 (float) or 8 (double)
  int height = 1, width = 1;       ///< odd; the centre is in the middle
  bool is_separable = false;       ///< a row sum, then a column sum
  std::vector<bool> multiplied{};  ///< direct mask: `[height, width]`, false for skipped taps

  /// Number of multiply-adds per output.
  int adds() const;
};

/// Shape of the work of a block that computes several steps (step_walk.cu). The shape does not
/// change the bits of the results.
struct StepWalk {
  int depth = 1;     ///< number of steps of a sweep
  int levels = 1;    ///< largest number of steps of a warp
  int chunks = 2;    ///< number of pieces of 16 bytes of a lane in a row
  int turn = 1;      ///< number of rows between two barriers of a block
  int resident = 1;  ///< number of blocks that should fit on a multiprocessor

  static constexpr int ring = 4;  ///< number of groups of `turn` rows of inputs in shared memory
  int warps() const { return (depth + levels - 1) / levels; }  ///< warps of a block
  /// Number of bytes of shared memory of a block.
  std::size_t bytes() const;
};

/// Number of columns of inputs of a strip that are not outputs: the sum of those at the left and at
/// the right end.
int lost_columns(const StepMask& mask, int depth);
/// Number of columns of outputs of a strip; 0 or less if the strip is too narrow for any.
int output_columns(const StepMask& mask, const StepWalk& walk);

/// Returns the properties of a stencil's mask, or std::nullopt if no kernel can be generated for
/// its time steps. Generated kernels do not support strides, transforms, renormalized sums, sums of
/// several separable masks, masks with more than 9 or an even number of rows or columns, or factors
/// with skipped taps.
///
/// @param reach  numbers of rows above and of columns left of the mask's centre; the mask must have
///               as many rows below and columns right of it
template <class T>
std::optional<StepMask> step_mask(const Stencil<T>& stencil, std::array<Index, 2> reach);

/// Like step_mask, for a step with a direct mask.
///
/// @param taps  `[height, width]`, row-major
template <class T>
std::optional<StepMask> direct_step_mask(int element, Index height, Index width,
                                         const std::vector<T>& taps, bool multiply_zeros);
/// Like step_mask, for a step with a separable mask of one column and one row.
template <class T>
std::optional<StepMask> separable_step_mask(int element, const std::vector<T>& column,
                                            const std::vector<T>& row, bool multiply_zeros);

/// Returns the fastest number of steps in a sweep over a large field; 1 if several steps are not
/// faster.
int deepest_sweep(const StepMask& mask);

/// Returns the walk that is expected to be the fastest for a number of steps.
///
/// @pre 1 <= depth <= most_depth
StepWalk make_step_walk(const StepMask& mask, int depth);
inline constexpr int most_depth = 32;

/// Returns the taps in the order of the kernels' arguments.
template <class T>
std::vector<T> step_taps(const Stencil<T>& stencil);

}  // namespace stencil::generated
