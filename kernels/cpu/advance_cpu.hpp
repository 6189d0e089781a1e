#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil {

/// Applies a stencil `steps` times in one sweep: a piece of the block passes through all steps
/// while it stays in the cache. The result has the same bits as that of repeated calls of
/// convolve_cpu, each followed by an exchange of ghosts.
///
/// @param source  the block's owned points, with ghosts around them. Along each axis the ghosts are
///                valid within reads_of_start(axis, level_spans(axis, owned, steps)), corners
///                included
/// @param target  of the same extent, does not overlap source; every point is written
///
/// @pre steps >= 1, stride 1, no min_valid, no sum of several separable terms
/// Returns when all outputs are computed. Runs on the calling thread's OpenMP team.
/// @throws WordsError    STENCIL_SIMD names no vector extension of this processor.
/// @throws MachineError  no memory for intermediate rows.
template <class T>
void advance_cpu(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                 FieldView<const T> source, FieldView<T> target);

}  // namespace stencil
