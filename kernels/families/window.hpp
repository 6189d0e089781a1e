#pragma once

#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil {

/// Returns a symmetric window of `size` points, largest in the middle:
/// scipy.signal.get_window(name, size, fftbins=False). A window of one point is 1.
///
/// @param name  see firwin_taps; `kaiser:BETA` and `gaussian:STD` have a parameter
/// @throws ShapeError  an unknown window, or a parameter that is missing, not allowed or out of
///                     range
std::vector<double> window_samples(const std::string& name, Index size);

}  // namespace stencil
