#pragma once

namespace stencil::generated {

/// Arguments of one launch of strip_walk.cu, without the taps. Distances are in elements.
template <class T>
struct StripArguments {
  const T* source;
  T* target;
  long source_batch, source_row, target_batch, target_row;
  int rows, columns;  ///< numbers of outputs of each batch
  int part;           ///< number of rows of outputs of one warp
  int shift;          ///< number of columns from the start of the first strip to the first output
  int ahead;          ///< chunks (16 bytes) of a row of inputs before the first 64-byte boundary
};

}  // namespace stencil::generated
