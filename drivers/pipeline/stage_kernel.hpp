#pragma once

#include "drivers/pipeline/bound_stage.hpp"
#include "framework/device/executor.hpp"
#include "framework/device/field_view.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Returns the inputs that a box of a stage's outputs reads, in global indices. The inputs may
/// extend beyond the edges of the world.
Box reads_of(const BoundStage& stage, const Box& outputs);

/// Queues one step of a stage for a box of outputs. Kernels support only masks along y and x: for a
/// mask along batch, the axes batch and y are exchanged.
///
/// @param source  the inputs in the box that reads_of() returns, all valid
/// @param target  the outputs in the box
/// @param first   the first output of the box, in global indices
template <class T>
void run_step(const BoundStage& stage, const BoundStencil<T>& kernel, FieldView<const T> source,
              FieldView<T> target, const Point& first, Lane lane = Lane::work);

/// Queues several steps of a stage for a box of points, in one sweep.
///
/// @param box     in global indices
/// @param source  the points of the box, surrounded by the ghost points that `steps` steps read,
///                all valid
/// @param target  the points of the box after the steps
template <class T>
void run_steps(const BoundStage& stage, const BoundStencil<T>& kernel, Index steps, const Box& box,
               FieldView<const T> source, FieldView<T> target, Lane lane = Lane::work);

}  // namespace stencil
