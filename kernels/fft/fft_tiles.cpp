#include "kernels/fft/fft_tiles.hpp"

#include <algorithm>

namespace stencil {
Interval FftTileAxis::tiles(const Interval& outputs_wanted, Index stride) const {
  if (outputs_wanted.empty()) return {0, 0};
  return {outputs_wanted.first * stride / outputs(),
          (outputs_wanted.last - 1) * stride / outputs() + 1};
}

Interval FftTileAxis::reads(const Interval& outputs_wanted, Index stride,
                            Index axis_outputs) const {
  if (outputs_wanted.empty()) return {0, 0};
  const Interval whole = tiles(outputs_wanted, stride);
  const Index end = (axis_outputs - 1) * stride + width;
  return {whole.first * outputs(), std::min(end, (whole.last - 1) * outputs() + inputs())};
}

bool fits_fft_tiles(Index height, Index width) {
  return height <= most_fft_tile / 2 && width <= most_fft_tile / 2;
}

}  // namespace stencil
