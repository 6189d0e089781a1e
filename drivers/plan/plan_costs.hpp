#pragma once

#include "drivers/plan/plan.hpp"
#include "kernels/limits.hpp"

namespace stencil {

/// Fills in memory, bytes and points of a plan whose stages and output are set.
/// @throws ShapeError  a number that does not fit into 64 bits
void count_costs(Plan& plan);

/// Bytes of the fields that the largest rank holds while a stage runs.
///
/// @param next     halo of the stage after it, which its output is made with
/// @param element  bytes of one point
Index stage_field_bytes(const BoundStage& stage, const Halo& next, Index element);

/// Bytes that a stage holds for the whole run besides fields: message buffers for `ghosts` bytes of
/// ghosts, its mask, and by fft its plan.
Index standing_bytes(const BoundStage& stage, Index ghosts);

/// Seconds that the stages take where every sweep is bound by memory or by arithmetic alone.
double limit_seconds(const Plan& plan, const Limits& limits);

}  // namespace stencil
