#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil {

/// Applies a stencil `steps` times in one sweep. Each piece of the block is advanced through all
/// steps while it is in the cache. The result has the same bits as `steps` calls of convolve_cpu
/// with an exchange of ghost points after each call.
///
/// @param source  the block's owned points, surrounded by ghost points. Along each axis, the ghost
///                points in reads_of_start(axis, level_spans(axis, owned, steps)) are valid,
///                including corners
/// @param target  has the same extent and does not overlap source; every point is written
///
/// @pre steps >= 1, stride 1, no min_valid, no sum of several separable terms
///
/// Returns when all outputs are computed. Runs on the calling thread's OpenMP team.
/// @throws WordsError    STENCIL_SIMD names no vector extension of this processor
/// @throws MachineError  not enough memory for intermediate rows
template <class T>
void advance_cpu(const Stencil<T>& stencil, const StepEdges& edges, Index steps,
                 FieldView<const T> source, FieldView<T> target);

}  // namespace stencil
