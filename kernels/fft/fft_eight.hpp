#pragma once

namespace stencil {

/// Eight complex numbers.
template <class T>
struct alignas(64) FftEight {
  T re[8], im[8];
};

}  // namespace stencil
