#pragma once

#include <vector>

#include "kernels/cpu/fft_columns.hpp"
#include "kernels/cpu/fft_work.hpp"

namespace stencil::cpu {

/// Renormalizes pairs of blocks with missing points (FftValid), each pair separately. Pairs without
/// missing points have the same bits as with ordinary transforms.
///
/// @param columns  along y: copies pieces into lines of a panel and back
/// @param tables   of the ordinary transforms, which transform one pair back at a time
/// @param bundles  pieces of `work`, bundle by bundle
template <class T>
void walk_fft_valid(const Stencil<T>& stencil, const RowKernels<T>& kernels, const FftWork<T>& work,
                    const FftColumns<T>& columns, const FftTables<T>& tables, FieldView<T> target,
                    const std::vector<Interval>& bundles);

/// Elements of memory that the walk needs for each thread, in addition to a tile and a panel.
Index fft_valid_scratch(const FftBlocks& blocks);

}  // namespace stencil::cpu
