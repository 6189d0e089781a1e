#pragma once

#include "kernels/method/method_choice.hpp"
#include "kernels/method/method_request.hpp"
#include "kernels/method/method_site.hpp"

namespace stencil {

/// Like choose_method(), for masks of several planes. The work of the choice is set only if it uses
/// transforms.
///
/// @throws ShapeError  the requested method cannot sum the mask; the message says why
MethodChoice choose_for_volume(const Mask& mask, MethodRequest request, double precision_eps,
                               const MethodSite& site);

}  // namespace stencil
