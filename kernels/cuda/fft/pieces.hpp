#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cuda/fft/divisor.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cuda {

/// The pairs of blocks (FftBlocks) that contain the outputs of one view, passed to kernels by
/// value. A piece is one pair of one line. Pieces are numbered: for masks along x, the pairs of a
/// row are consecutive; for masks along y, the columns of a pair are consecutive.
///
/// Kernels for columns may work on a panel. Each line of the panel belongs to one piece; the first
/// line belongs to piece `panel_first`. A line first holds the existing inputs of its piece. Later
/// it holds those of the `2 * block` outputs before striding that are requested.
template <class T>
struct FftPieces {
  const T* source;
  T* target;
  long source_batch, source_across, source_along;  ///< elements between lines and between inputs
  long target_batch, target_across, target_along;
  long count;             ///< number of all pieces
  Divisor across, pairs;  ///< number of lines of a batch; number of pairs of a line
  bool along_x;
  long block;                  ///< number of outputs of one block
  long inputs_of_block;        ///< number of inputs of one block
  long reach;                  ///< number of inputs of a pair
  long first_begin;            ///< index of the first pair's first output before striding
  long axis_inputs;            ///< number of inputs from first_begin on; later inputs are replaced
                               ///< by +0
  Divisor stride;              ///< stride along the mask's axis
  int every;                   ///< see fft_every
  long first_output, outputs;  ///< strided outputs of the view, by index along the whole axis

  const T* taps;  ///< taps for pairs that are summed directly
  long width;
  bool skip_zeros;

  T* panel = nullptr;
  long panel_pitch = 0, panel_first = 0;
};

/// Makes the pieces of one view.
///
/// @param taps  taps of the stencil, in device memory
template <class T>
FftPieces<T> make_fft_pieces(const Stencil<T>& stencil, const T* taps, FieldView<const T> source,
                             FieldView<T> target, const Anchor& anchor);

}  // namespace stencil::cuda
