#pragma once

#include <vector>

#include "kernels/stencil.hpp"

namespace stencil {

/// Returns the column and the row of one term of a separable mask of three axes, as a separable
/// stencil of two axes with the same strides along y and x.
template <class T>
Stencil<T> plane_of_term(const Stencil<T>& stencil, Index term) {
  const auto part = [&](const std::vector<T>& all, Index count) {
    return std::vector<T>(all.begin() + term * count, all.begin() + (term + 1) * count);
  };
  Stencil<T> plane;
  plane.method = Method::separable;
  plane.multiply_zeros = stencil.multiply_zeros;
  plane.height = stencil.height;
  plane.width = stencil.width;
  plane.column = part(stencil.column, stencil.height);
  plane.row = part(stencil.row, stencil.width);
  plane.stride = stencil.stride;
  return plane;
}

}  // namespace stencil
