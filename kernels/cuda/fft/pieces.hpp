#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/divisor.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// The pairs of blocks (FftBlocks) that one view of outputs touches, passed to kernels by value.
/// Pieces, one pair of one line each, are numbered: along rows the pairs of a row follow each
/// other, along columns the columns of a pair do.
///
/// Kernels of columns may work on a panel, in which the pieces from `panel_first` on are lines: of
/// the inputs that exist, and later of `2 * block` outputs before striding, those that are wanted.
template <class T>
struct FftPieces {
  const T* source;
  T* target;
  long source_batch, source_across, source_along;  ///< elements from line to line, input to input
  long target_batch, target_across, target_along;
  long count;             ///< of all pieces
  Divisor across, pairs;  ///< lines of a batch, pairs of a line
  bool along_x;
  long block;                  ///< outputs of one block
  long inputs_of_block;        ///< that it is made of
  long reach;                  ///< inputs of a pair
  long first_begin;            ///< output before striding with which the first pair begins
  long axis_inputs;            ///< from there on; later ones are replaced by +0
  Divisor stride;              ///< along the mask
  int every;                   ///< fft_every
  long first_output, outputs;  ///< strided ones of the view, counted along the whole axis

  const T* taps;  ///< for pairs that are summed directly
  long width;
  bool skip_zeros;

  T* panel = nullptr;
  long panel_pitch = 0, panel_first = 0;
};

/// @param taps  the taps of the stencil, in device memory
template <class T>
FftPieces<T> make_fft_pieces(const Stencil<T>& stencil, const T* taps, FieldView<const T> source,
                             FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cuda
