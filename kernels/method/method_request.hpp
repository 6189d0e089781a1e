#pragma once

namespace stencil {

/// Requested method of summing a mask: directly, as a product of factors along single axes, by
/// transforms, or automatically by the method that takes the least time.
enum class MethodRequest { automatic, direct, separable, fft };

}  // namespace stencil
