#include "kernels/cuda/fft/pieces.hpp"

namespace stencil::cuda {

template <class T>
FftPieces<T> make_fft_pieces(const Stencil<T>& stencil, const T* taps, FieldView<const T> source,
                             FieldView<T> target, const Anchor& anchor) {
  const bool along_x = stencil.height == 1;
  const FftBlocks& blocks = stencil.fft->blocks;
  const Index stride = stencil.stride[along_x ? 1 : 0], skip = stencil.stride[along_x ? 0 : 1];
  const Index outputs = target.extent[along_x ? x_axis : y_axis];
  const Interval pairs = blocks.pairs({anchor.first_output, anchor.first_output + outputs}, stride);
  const Index axis_outputs =
      anchor.axis_outputs > 0 ? anchor.axis_outputs : anchor.first_output + outputs;
  const Index begin = pairs.first * blocks.pair();
  const Index across = target.extent[along_x ? y_axis : x_axis];
  return {.source = source.data,
          .target = target.data,
          .source_batch = source.batch_pitch,
          .source_across = skip * (along_x ? source.row_pitch : 1),
          .source_along = along_x ? 1 : source.row_pitch,
          .target_batch = target.batch_pitch,
          .target_across = along_x ? target.row_pitch : 1,
          .target_along = along_x ? 1 : target.row_pitch,
          .count = target.extent[batch_axis] * across * pairs.extent(),
          .across = Divisor(across),
          .pairs = Divisor(pairs.extent()),
          .along_x = along_x,
          .block = blocks.outputs(),
          .inputs_of_block = blocks.outputs() + blocks.width - 1,
          .reach = blocks.reach(),
          .first_begin = begin,
          .axis_inputs = (axis_outputs - 1) * stride + blocks.width - begin,
          .stride = Divisor(stride),
          .every = fft_every(stride),
          .first_output = anchor.first_output,
          .outputs = outputs,
          .taps = taps,
          .width = blocks.width,
          .skip_zeros = !stencil.multiply_zeros};
}

template FftPieces<float> make_fft_pieces(const Stencil<float>&, const float*,
                                          FieldView<const float>, FieldView<float>, const Anchor&);
template FftPieces<double> make_fft_pieces(const Stencil<double>&, const double*,
                                           FieldView<const double>, FieldView<double>,
                                           const Anchor&);

}  // namespace stencil::cuda
