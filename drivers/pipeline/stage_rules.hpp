#pragma once

#include <array>

#include "drivers/pipeline/stage.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/sampling.hpp"

namespace stencil {

// Checks that the members of a stage fit each other. Each function throws a ShapeError whose
// message names the members in conflict.

/// Checks that a mask of channels is not combined with another mask, a bank or min_valid.
void require_channels_possible(const Stage& stage);
/// Checks that the masks of a bank have the shape, centre and axis of `stage.mask`.
void require_bank_possible(const Stage& stage);
/// Checks that the boundary value is finite in this precision.
void require_value_fits(double value, Precision precision);
/// Checks that each of several steps has the same number of outputs as inputs, at the same
/// positions.
void require_shape_kept(const Stage& stage, const std::array<AxisSampling, axes>& sampling);
/// Checks that the stride along y or x is 1 if the mask has no taps along that axis.
void require_taps_under_strides(const Stage& stage);
/// Checks that a mask of three axes on a GPU is summed without transforms and without leaving
/// missing points out, and that only a mask of three axes has a stride along batch.
void require_volume_possible(const Stage& stage, Backend backend);
/// Checks `rows`. @param shape  of the inputs
void require_rows_possible(const Stage& stage, const Point& shape, Backend backend);
/// Checks the polynomial fit at the edges. @param axis  the sampling along the axis of the mask
void require_fit_possible(const Stage& stage, const AxisSampling& axis, Backend backend);

}  // namespace stencil
