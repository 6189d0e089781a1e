#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "tests/kernels/grid_data.hpp"

namespace stencil::testing {

/// All outputs, computed by one call of convolve_cpu.
template <class T>
std::vector<T> outputs(const Stencil<T>& stencil, const Grid<T>& source, const Point& extent) {
  Grid<T> target(extent, T(-12345.5));
  convolve_cpu<T>(stencil, source.read(), target.view());
  EXPECT_TRUE(target.guards_untouched());
  return target.points_of();
}

/// The outputs of a 1D mask with Method::fft, computed in windows of up to `longest` outputs along
/// the mask's axis, each from exactly the inputs that its blocks read.
template <class T>
std::vector<T> outputs_in_windows(const Stencil<T>& stencil, const Grid<T>& source,
                                  const Point& extent, Index longest) {
  const bool along_x = stencil.height == 1;
  const int axis = along_x ? x_axis : y_axis;
  const Index all = extent[axis], stride = stencil.stride[along_x ? 1 : 0];
  std::mt19937 random(5);
  Grid<T> target(extent, T(-12345.5));
  for (Index first = 0; first < all;) {
    const Index last = std::min<Index>(all, first + 1 + random() % longest);
    Box box = make_box(extent);
    box.set(axis, {first, last});
    Box reads = box;
    reads.set(axis, stencil.fft->blocks.reads({first, last}, stride, all));
    // points around the window must not be read
    Grid<T> part(reads.extent(), std::numeric_limits<T>::quiet_NaN());
    part.set([&](Index b, Index y, Index x) { return source.read().window(reads).at(b, y, x); });
    convolve_cpu<T>(stencil, part.read(), target.view().window(box), {first, all});
    first = last;
  }
  EXPECT_TRUE(target.guards_untouched());
  return target.points_of();
}

}  // namespace stencil::testing
