#pragma once

#include <vector>

#include "kernels/stencil.hpp"

namespace stencil::generated {

/// Shape of the work of a warp that walks down its strip of columns (strip_walk.cu). The shape does
/// not change the bits of the results.
struct StripShape {
  int chunks = 1;  ///< adjacent pieces of 16 bytes of a lane in a row of outputs
  /// Number of sets of `chunks` pieces of a lane; the sets are 32 * chunks pieces apart.
  int groups = 1;
  int turn = 1;       ///< number of rows of inputs that are copied together
  int ring = 4;       ///< number of such groups of rows in shared memory
  int unrolled = 1;   ///< number of rows summed per iteration of the loop
  int warps = 12;     ///< largest number of resident warps on a multiprocessor
  int longest = 700;  ///< largest number of rows of outputs of a warp

  bool operator==(const StripShape&) const = default;
};

/// The properties on which the source of a strip walk depends. The source depends on the positions
/// of the taps that are multiplied, not on the values of the taps.
struct StripSpec {
  int element = 4;  ///< bytes: 4 (float) or 8 (double)
  int height = 1, width = 1;
  std::vector<bool> multiplied;  ///< `[height, width]`: whether a tap is multiplied
  int lead = 0;  ///< elements from a 32-byte boundary to the first input, below 32 / element
  StripShape shape;

  int taps() const;  ///< number of taps that are multiplied
};

/// Number of registers for the sums and inputs of one lane.
int registers_for_values(const StripSpec& spec);

/// Number of chunks of 16 bytes that a row of inputs has in addition to the chunks of a row of
/// outputs.
int more_chunks(const StripSpec& spec);

/// Number of bytes of shared memory of a warp's ring of inputs.
int ring_bytes(const StripSpec& spec);

/// Number of columns of outputs of a strip.
int strip_columns(const StripSpec& spec);

/// Returns whether the taps of the mask fit into the constant cache and its sums into the
/// registers. Does not check the shape.
bool fits_strip_walk(const StripSpec& spec);

/// Returns whether a strip walk can be generated for this stencil: a direct sum without strides and
/// without renormalization, whose taps fit into the constant cache and whose sums fit into the
/// registers.
template <class T>
bool has_strip_walk(const Stencil<T>& stencil);

/// Returns the specification of the walk that is expected to be the fastest.
///
/// @pre has_strip_walk(stencil)
template <class T>
StripSpec make_strip_spec(const Stencil<T>& stencil, int lead);

/// Returns the taps that are multiplied, in row-major order: the last argument of the kernel.
template <class T>
std::vector<T> multiplied_taps(const Stencil<T>& stencil);

}  // namespace stencil::generated
