#pragma once

#include <array>

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"

namespace stencil::cpu {

/// Applies three masks of one axis in one pass over the points: the first along batch, the second
/// along y and the third along x. Each mask is applied to the results of the previous mask, rounded
/// to T. The bits are those of three calls of convolve_cpu.
///
/// Some planes of outputs are computed together, in boxes that are narrow along x. A walk down the
/// rows of a box sums some rows along batch into a ring, which stays in the cache. The sums along y
/// and x are computed from the ring, a few rows at a time.
///
/// @param lines   direct stencils of one row or one column, with stride 1 and without min_valid
/// @param source  exactly the inputs of the target's outputs
template <class T>
void walk_lines(const std::array<Stencil<T>, 3>& lines, const RowKernels<T>& kernels,
                FieldView<const T> source, FieldView<T> target);

/// Returns the largest temporary memory of walk_lines in bytes, for all threads of the calling
/// thread's team.
///
/// @param taps  number of taps of the masks along batch, y and x
template <class T>
Index lines_scratch_bytes(const Point& taps);

}  // namespace stencil::cpu
