#pragma once

#include "kernels/method/method_choice.hpp"
#include "kernels/method/method_site.hpp"

namespace stencil {

/// Return the amounts of work of a direct sum or of a sum by factors, and its cost for one output.
WayWork work_by_taps(const MethodChoice& choice, const MethodSite& site);
double cost_by_taps(const MethodChoice& choice, const MethodSite& site);

/// Returns overlap-save as the method for a mask of one axis, with the blocks of least cost.
MethodChoice fft_by_blocks(const Mask& mask, const MethodSite& site);
/// Returns overlap-save as the method for a mask of two or three axes, with the tiles of least
/// cost.
MethodChoice fft_by_tiles(const Mask& mask, const MethodSite& site);

/// Returns the choice with a new reason: transforms were requested. The reason includes their cost.
MethodChoice asked_for_fft(MethodChoice choice);

/// Returns the cheaper choice of a direct or separable sum and transforms. The returned choice also
/// contains the costs of the other methods that were compared.
MethodChoice cheaper(MethodChoice by_taps, MethodChoice fft, const MethodSite& site);

/// @throws ShapeError  transforms were requested, but cannot sum this mask on this world or backend
void require_fft_possible(const Mask& mask, const MethodSite& site);

}  // namespace stencil
