#pragma once

#include <vector>

#include "kernels/stencil.hpp"

namespace stencil::generated {

/// How a warp walks down its strip of columns (strip_walk.cu). It does not change the bits of the
/// results.
struct StripShape {
  int chunks = 1;     ///< neighbouring pieces of 16 bytes that a lane has in a row of outputs
  int groups = 1;     ///< such neighbourhoods of a lane, each 32 times as wide for the warp
  int turn = 1;       ///< rows of inputs that arrive together
  int ring = 4;       ///< turns that shared memory holds
  int unrolled = 1;   ///< rows summed by one piece of code
  int warps = 12;     ///< at most on a multiprocessor at once
  int longest = 700;  ///< rows of outputs of a warp, at most

  bool operator==(const StripShape&) const = default;
};

/// Everything that the source of a strip walk depends on. The values of the taps are not part of
/// it, only which of them are multiplied.
struct StripSpec {
  int element = 4;  ///< bytes: 4 (float) or 8 (double)
  int height = 1, width = 1;
  std::vector<bool> multiplied;  ///< `[height, width]`
  int lead = 0;  ///< elements from the 32-byte boundary at or below a strip's first input to that
                 ///< input, 0 to 32 / element - 1
  StripShape shape;

  int taps() const;  ///< that are multiplied
};

/// Registers that the sums and inputs of one lane take.
int registers_for_values(const StripSpec& spec);

/// Chunks of 16 bytes of a row of inputs beside as many as there are outputs.
int more_chunks(const StripSpec& spec);

/// Bytes of shared memory that a warp's ring of inputs takes.
int ring_bytes(const StripSpec& spec);

/// Columns of outputs of a strip.
int strip_columns(const StripSpec& spec);

/// Whether the mask's taps fit into the constant cache, and its sums into the registers. The shape
/// is not checked.
bool fits_strip_walk(const StripSpec& spec);

/// Whether a strip walk can be generated for this stencil: a direct sum without strides, with no
/// missing points to leave out, with taps that fit into the constant cache and sums that fit into
/// the registers.
template <class T>
bool has_strip_walk(const Stencil<T>& stencil);

/// The specification of the walk that is expected to be the fastest.
///
/// @pre has_strip_walk(stencil)
template <class T>
StripSpec make_strip_spec(const Stencil<T>& stencil, int lead);

/// The taps that are multiplied, in row-major order: what the kernel takes as its last argument.
template <class T>
std::vector<T> multiplied_taps(const Stencil<T>& stencil);

}  // namespace stencil::generated
