#include "kernels/cuda/fft/tile_views.hpp"

namespace stencil::cuda {
namespace {

TileAxis axis_of(const FftTileAxis& axis, const Interval& outputs, Index stride,
                 Index axis_outputs) {
  const Interval tiles = axis.tiles(outputs, stride);
  const Index begin = tiles.first * axis.outputs(),
              all = axis_outputs > 0 ? axis_outputs : outputs.last;
  return {.points = axis.points,
          .outputs = axis.outputs(),
          .width = axis.width,
          .lead = axis.lead,
          .begin = begin,
          .inputs = (all - 1) * stride + axis.width - begin,
          .count = Divisor(tiles.extent()),
          .stride = Divisor(stride),
          .first_output = outputs.first,
          .wanted = outputs.extent()};
}

}  // namespace

template <class T>
TileViews<T> make_tile_views(const Stencil<T>& stencil, const T* taps, FieldView<const T> source,
                             FieldView<T> target, const Anchor& anchor) {
  const FftTiles& tiles = stencil.fft_tiles->tiles;
  const Interval rows{anchor.first_row, anchor.first_row + target.extent[y_axis]},
      columns{anchor.first_output, anchor.first_output + target.extent[x_axis]};
  const TileAxis y = axis_of(tiles.y, rows, stencil.stride[0], anchor.rows),
                 x = axis_of(tiles.x, columns, stencil.stride[1], anchor.axis_outputs);
  return {.source = source.data,
          .target = target.data,
          .source_batch = source.batch_pitch,
          .source_row = source.row_pitch,
          .target_batch = target.batch_pitch,
          .target_row = target.row_pitch,
          .y = y,
          .x = x,
          .count = target.extent[batch_axis] * y.count.by * x.count.by,
          .taps = taps,
          .skip_zeros = !stencil.multiply_zeros};
}

template TileViews<float> make_tile_views(const Stencil<float>&, const float*,
                                          FieldView<const float>, FieldView<float>, const Anchor&);
template TileViews<double> make_tile_views(const Stencil<double>&, const double*,
                                           FieldView<const double>, FieldView<double>,
                                           const Anchor&);

}  // namespace stencil::cuda
