#pragma once

#include <vector>

#include "kernels/cpu/fft_columns.hpp"
#include "kernels/cpu/fft_work.hpp"

namespace stencil::cpu {

/// Renormalizes pairs of blocks with missing points (FftValid), each pair separately. Pairs without
/// missing points have the same bits as with ordinary transforms.
///
/// @param columns  for masks along y: copies pieces to lines of a panel and back
/// @param tables   tables of the ordinary transforms, with one pair per inverse transform
/// @param bundles  intervals of pieces of `work`
template <class T>
void walk_fft_valid(const Stencil<T>& stencil, const RowKernels<T>& kernels, const FftWork<T>& work,
                    const FftColumns<T>& columns, const FftTables<T>& tables, FieldView<T> target,
                    const std::vector<Interval>& bundles);

/// Number of elements of memory of each thread, in addition to a tile and a panel.
Index fft_valid_scratch(const FftBlocks& blocks);

}  // namespace stencil::cpu
