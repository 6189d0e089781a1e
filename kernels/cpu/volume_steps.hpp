#pragma once

#include "framework/device/field_view.hpp"
#include "kernels/cpu/row_kernels.hpp"
#include "kernels/stencil.hpp"
#include "kernels/step_edges.hpp"

namespace stencil::cpu {

/// Computes the steps of advance_cpu for a direct mask of several planes (Stencil::depth).
///
/// The outputs are divided into tiles in y and x, and along batch if there are several threads. In
/// each tile the planes of all steps are computed one after the other: before a plane of one level
/// is computed, those planes of the level below that this plane depends on are computed, unless
/// they already exist. Level 0 is the source, and the last level is the target. Each level between
/// the source and the target keeps the planes that `planes_of_step` planes of the next level read.
/// These planes are therefore still in the cache when they are read. Ghost points beyond the edges
/// of the world are filled in every level.
template <class T>
void advance_volume(const Stencil<T>& stencil, const RowKernels<T>& kernels, const StepEdges& edges,
                    Index steps, FieldView<const T> source, FieldView<T> target);

/// Returns the number of elements of temporary memory that advance_volume needs for each thread.
///
/// @param extent   outputs `[batch, y, x]`
/// @param threads  number of threads among which the outputs are divided
template <class T>
Index volume_steps_elements(const Stencil<T>& stencil, const RowKernels<T>& kernels,
                            const StepEdges& edges, Index steps, const Point& extent, int threads);

/// Returns an upper bound on the temporary memory of advance_volume in bytes, for all threads of
/// the calling thread's team and outputs of any extent.
///
/// @param taps  number of taps along batch, y and x
template <class T>
Index volume_steps_scratch_bytes(const Point& taps, Index steps);

}  // namespace stencil::cpu
