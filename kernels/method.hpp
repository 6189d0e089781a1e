#pragma once

#include <string>

#include "kernels/convolve.hpp"

namespace stencil {

/// What was chosen for a mask, and why.
struct MethodChoice {
  Method method = Method::direct;
  Mask mask;           ///< the mask with factors filled in where method is separable
  double error = 0;    ///< largest |column * row - tap| over the largest |tap|; 0 for direct
  std::string reason;  ///< `rank 1 within 1e-17 of the mask, 10 instead of 25 taps a point`
};

enum class MethodRequest { automatic, direct, separable };

/// Finds out whether a 2D mask is an outer product (its largest tap's column times its row gives
/// every tap back within 4 eps of the compute type, and the same taps are exactly 0) and whether
/// using it pays: `height + width` has to be less than the taps that the direct sum multiplies. The
/// factors are a row and a column of the mask itself; masks of integers keep integer factors.
/// Factors that the mask already has are used as they are. 1D masks and masks of zeros are always
/// direct.
///
/// @param precision_eps  machine epsilon of the compute type
/// @throws ShapeError    separable was asked for and the mask is not rank 1: the message gives the
///                       relative size of the second singular value (0 for an outer product).
MethodChoice choose_method(const Mask& mask, MethodRequest request, double precision_eps);

}  // namespace stencil
