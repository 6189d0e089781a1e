#pragma once

namespace stencil {

/// How a mask is summed: tap by tap, by factors along one axis each, by transforms, or
/// automatically by the method that takes the least time.
enum class MethodRequest { automatic, direct, separable, fft };

}  // namespace stencil
