#pragma once

#include "kernels/method/method_choice.hpp"
#include "kernels/method/method_site.hpp"

namespace stencil {

/// Returns the work of a choice that sums by taps or factors, and its cost for one output.
WayWork work_by_taps(const MethodChoice& choice, const MethodSite& site);
double cost_by_taps(const MethodChoice& choice, const MethodSite& site);

/// Overlap-save of a mask of one axis, in the blocks of least cost.
MethodChoice fft_by_blocks(const Mask& mask, const MethodSite& site);
/// Overlap-save of a mask of two or three axes, in the tiles of least cost.
MethodChoice fft_by_tiles(const Mask& mask, const MethodSite& site);

/// Transforms that were requested, with their cost as the reason.
MethodChoice asked_for_fft(MethodChoice choice);

/// The cheaper of a way to sum by taps and transforms, with the costs of all.
MethodChoice cheaper(MethodChoice by_taps, MethodChoice fft, const MethodSite& site);

/// @throws ShapeError  the requested transforms cannot sum the mask there
void require_fft_possible(const Mask& mask, const MethodSite& site);

}  // namespace stencil
