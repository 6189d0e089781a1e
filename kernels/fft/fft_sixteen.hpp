#pragma once

namespace stencil {

/// Sixteen complex numbers.
template <class T>
struct alignas(64) FftSixteen {
  T re[16], im[16];
};

}  // namespace stencil
