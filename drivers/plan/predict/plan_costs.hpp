#pragma once

#include "drivers/plan/problem.hpp"
#include "kernels/bind/limits.hpp"

namespace stencil {

/// Whether each block of the output, except the first and the last of a volume, has points of a
/// single volume. Other blocks are kept in memory until all their volumes are computed.
bool fills_blocks(const Problem& problem);

/// Fills in memory, bytes and points of a plan whose stages and output are set.
/// @throws ShapeError  a number that does not fit into 64 bits
void count_costs(Problem& problem);

/// Bytes of host memory through which points of a GPU are looked at, at a time.
inline constexpr Index look_bytes = Index{16} << 20;

/// Fields of its inputs' shape that a stage needs: two if its sweeps alternate between them, or if
/// its steps are watched, which may then stop within a sweep.
Index fields_of_inputs(const BoundStage& stage, bool is_watched);

/// Bytes of the fields that the largest rank holds while a stage runs.
///
/// @param next     halo of the next stage, which is allocated with this stage's output
/// @param element  bytes of one point
Index stage_field_bytes(const BoundStage& stage, const Halo& next, Index element,
                        bool is_watched = false);

/// Bytes other than fields that a stage holds for the whole run: message buffers for `ghosts` bytes
/// of ghosts, its mask, and for `fft` its plan.
Index standing_bytes(const BoundStage& stage, Index ghosts);

/// Temporary memory of a stage's kernel on the CPU, for all threads: only transforms take more than
/// some rows.
Index scratch_bytes(const BoundStage& stage, Index element);

/// Seconds that the stages take if memory or arithmetic is the only limit of every sweep.
double limit_seconds(const Problem& problem, const Limits& limits);

}  // namespace stencil
