#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil {

/// Applies a stencil `steps` times, as convolve_cpu followed by an exchange of ghosts would, bit
/// for bit, in one sweep: a piece of the block passes through all steps while it stays in the
/// cache.
///
/// @param source  the block's owned points; around them lie ghosts, valid as far as
///                reads_of_start(axis, level_spans(axis, owned, steps)) reaches along each axis,
///                corners included
/// @param target  of the same extent, does not overlap source; every point is written
///
/// @pre steps >= 1, stride 1, no min_valid, no sum of several separable terms
/// Returns when the work is done. Runs on the calling thread's OpenMP team.
/// @throws WordsError    STENCIL_SIMD names no vector extension of this processor.
/// @throws MachineError  no memory for intermediate rows.
template <class T>
void advance_cpu(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                 FieldView<const T> source, FieldView<T> target);

}  // namespace stencil
