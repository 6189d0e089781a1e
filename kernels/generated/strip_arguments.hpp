#pragma once

namespace stencil::generated {

/// What one launch of strip_walk.cu has to know beside the taps. Distances are in elements.
template <class T>
struct StripArguments {
  const T* source;
  T* target;
  long source_batch, source_row, target_batch, target_row;
  int rows, columns;  ///< of outputs, of each batch
  int part;           ///< rows of outputs that one warp makes
  int shift;          ///< columns by which the first strip begins before the first output
  int ahead;  ///< chunks (16 bytes) of a row of inputs before the first on a 64-byte boundary
};

}  // namespace stencil::generated
