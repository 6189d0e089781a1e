#pragma once

#include <array>

#include "drivers/pipeline/stage.hpp"
#include "framework/device/backend.hpp"
#include "framework/grid/sampling.hpp"

namespace stencil {

// Which combinations of the members of a stage have a meaning. Each function throws a ShapeError
// whose message names what does not fit.

/// A mask of channels cannot be combined with another mask, a bank, a method or a share of valid
/// points.
void require_channels_possible(const Stage& stage);
/// A bank: its masks have the shape, centre and axis of the mask of the stage.
void require_bank_possible(const Stage& stage);
/// In float32: the value beyond the edges is finite in that precision.
void require_value_fits(double value, Precision precision);
/// Several steps: each has as many outputs as inputs, at the same places.
void require_shape_kept(const Stage& stage, const std::array<AxisSampling, axes>& sampling);
/// A stride along y or x only where the mask has taps along that axis.
void require_taps_under_strides(const Stage& stage);
/// A mask of three axes: on CPUs, as a single mask. A stride along batch: for such masks alone.
void require_volume_possible(const Stage& stage, Backend backend);
/// Polynomials that are fitted at the edges. @param axis  the sampling along the axis of the mask
void require_fit_possible(const Stage& stage, const AxisSampling& axis, Backend backend);

}  // namespace stencil
