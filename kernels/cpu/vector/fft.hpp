#pragma once

#include "kernels/cpu/vector/fft_passes.hpp"
#include "kernels/cpu/vector/fft_transfer.hpp"

namespace stencil::cpu::STENCIL_VECTOR_EXTENSION {
namespace {

/// Overlap-save over the pairs of one group of lanes: the first pass takes its points straight from
/// the lines, the last one gives them straight back, through a stage that stays in the first cache.
template <int radix, class Transfer, class T>
unsigned convolve_group(const FftTables<T>& tables, const Transfer& transfer, T* tile) {
  FftResults<T> results;
  constexpr Index lanes = Pack<T>::lanes, leg = lanes * fft_point<T>;
  const Index m = tables.points / radix, pitch = m * fft_point<T>;
  T* stage = tile + tables.points * fft_point<T>;
  const auto twiddles_of = [&](Index j) { return tables.twiddles + 2 * (radix - 1) * j; };
  for (Index j = 0; j < m; j += lanes) {
    for (int k = 0; k < radix; ++k) {
      transfer.load(j + k * m, stage + k * leg);
      transfer.load(j + k * m + tables.outputs, stage + k * leg + lanes);
    }
    forward_pass<radix>(stage, leg, tile + j * fft_point<T>, pitch, twiddles_of(j), lanes);
  }
  convolve_parts(tables, 0, tile, tables.points, tables.twiddles, tables.spectrum);
  for (Index j = 0; j < m; j += lanes) {
    inverse_pass<radix>(tile + j * fft_point<T>, pitch, stage, leg, twiddles_of(j), lanes);
    for (int k = 0; k < radix && j + k * m < tables.outputs; ++k) {
      transfer.store(j + k * m, stage + k * leg, results);
      transfer.store(j + k * m + tables.outputs, stage + k * leg + lanes, results);
    }
  }
  unsigned bad = 0;
  for (int l = 0; l < int(lanes); ++l)
    if (results.bad[l] != 0) bad |= 1u << l;
  return bad;
}

template <class Transfer, class T>
unsigned convolve_by_first_radix(const FftTables<T>& tables, const Transfer& transfer, T* tile) {
  return tables.radices[0] == 8 ? convolve_group<8>(tables, transfer, tile)
                                : convolve_group<4>(tables, transfer, tile);
}

/// RowKernels::convolve_lines.
template <class T>
unsigned convolve_lines(const FftTables<T>& tables, const FftLane<T>* lanes, T* tile) {
  return convolve_by_first_radix(tables, LineTransfer<T>{lanes}, tile);
}

/// RowKernels::convolve_columns.
template <class T>
unsigned convolve_columns(const FftTables<T>& tables, T* panel, Index pitch, Index rows, T* tile) {
  return convolve_by_first_radix(tables, ColumnTransfer<T>{panel, pitch, rows}, tile);
}

}  // namespace
}  // namespace stencil::cpu::STENCIL_VECTOR_EXTENSION
