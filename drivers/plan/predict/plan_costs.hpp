#pragma once

#include "drivers/plan/problem.hpp"
#include "kernels/bind/limits.hpp"

namespace stencil {

/// Returns whether each block of the output, except the first and the last block of a volume, has
/// points of a single volume. Other blocks are kept in memory until all their volumes are computed.
bool fills_blocks(const Problem& problem);

/// Sets memory, bytes and points of a problem whose stages and output are set.
/// @throws ShapeError  a number does not fit into 64 bits
void count_costs(Problem& problem);

/// Bytes of host memory for checking the points of a GPU, which is done in pieces.
inline constexpr Index look_bytes = Index{16} << 20;

/// Returns the number of fields of the shape of its inputs that a stage needs. The number is two if
/// the sweeps alternate between two fields, or if the steps are watched, because a watched stage
/// may stop within a sweep.
Index fields_of_inputs(const BoundStage& stage, bool is_watched);

/// Returns the bytes of the fields that the largest rank holds while a stage runs.
///
/// @param next     halo of the next stage, whose input is this stage's output
/// @param element  bytes of one point
Index stage_field_bytes(const BoundStage& stage, const Halo& next, Index element,
                        bool is_watched = false);

/// Returns the bytes, other than fields, that a stage holds for the whole run: message buffers for
/// `ghosts` bytes of ghost points, its mask, and for `fft` its plan.
Index standing_bytes(const BoundStage& stage, Index ghosts);

/// Returns the bytes of the masks that all copies of a chain share.
Index shared_bytes(const Chain& chain);

/// Returns the temporary memory of a stage's kernel on the CPU, for all threads. Only transforms,
/// copies of the masks of rows, and sums over three axes need more than a few rows.
Index scratch_bytes(const BoundStage& stage, Index element);

/// Returns the time of the stages in seconds if each sweep is limited only by memory bandwidth or
/// only by arithmetic.
double limit_seconds(const Problem& problem, const Limits& limits);

}  // namespace stencil
