#include "kernels/cpu/fft_tile_reach.hpp"

#include <algorithm>
#include <cmath>

namespace stencil::cpu {
namespace {

/// Returns the cells along one axis whose outputs depend on an input.
Interval cells_over(Index input, const FftTileAxis& axis, Index cell) {
  const Index first = std::max<Index>(0, input - axis.width + 1),
              last = std::min(input, axis.outputs() - 1);
  return first > last ? Interval{0, 0} : Interval{first / cell, last / cell + 1};
}

}  // namespace

/// Changes the counts for one input: along both axes, adds 1 at the first cell that depends on the
/// input, and subtracts 1 after the last such cell. Once all inputs are counted, the sum of all
/// counts up to a cell is the number of counted inputs on which the cell depends.
void FftTileReach::count(Index row, Index column, int* counts) const {
  const Interval y = cells_over(row, tiles_.y, cell_rows_),
                 x = cells_over(column, tiles_.x, cell_columns_);
  if (y.empty() || x.empty()) return;
  const Index pitch = columns_ + 1;
  counts[y.first * pitch + x.first] += 1;
  counts[y.first * pitch + x.last] -= 1;
  counts[y.last * pitch + x.first] -= 1;
  counts[y.last * pitch + x.last] += 1;
}

template <class T>
void FftTileReach::clean(T* inputs, Index pitch, int* counts, unsigned char* reached) const {
  std::fill_n(counts, this->counts(), 0);
  for (Index row = 0; row < tiles_.y.points; ++row)
    for (Index column = 0; column < tiles_.x.inputs(); ++column) {
      T& input = inputs[row * pitch + column];
      if (std::isfinite(input)) continue;
      input = 0;
      count(row, column, counts);
    }
  const Index width = columns_ + 1;
  for (Index y = 0; y < rows_; ++y)
    for (Index x = 0, in_row = 0; x < columns_; ++x) {
      int& cell = counts[y * width + x];
      in_row += cell;
      cell = int(in_row) + (y > 0 ? counts[(y - 1) * width + x] : 0);
      reached[y * columns_ + x] = cell > 0 ? 1 : 0;
    }
}

template void FftTileReach::clean(float*, Index, int*, unsigned char*) const;
template void FftTileReach::clean(double*, Index, int*, unsigned char*) const;

}  // namespace stencil::cpu
