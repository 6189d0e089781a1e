#pragma once

namespace stencil {

/// How a mask is to be summed: tap by tap, by factors along one axis each, by transforms, or
/// automatically by the one that takes the least time.
enum class MethodRequest { automatic, direct, separable, fft };

}  // namespace stencil
