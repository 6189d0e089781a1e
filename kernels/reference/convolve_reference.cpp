#include "kernels/reference/convolve_reference.hpp"

#include <cmath>
#include <limits>

namespace stencil {
namespace {

/// Returns one tap of the outer product of the factors, or of the sum of several outer products.
template <class T>
double separable_tap(const Stencil<T>& stencil, Index plane, Index j, Index i) {
  double tap = 0;
  for (Index k = 0; k < stencil.terms; ++k)
    tap += (stencil.plane.empty() ? 1.0 : double(stencil.plane[k * stencil.depth + plane])) *
           double(stencil.column[k * stencil.height + j]) *
           double(stencil.row[k * stencil.width + i]);
  return tap;
}

/// Returns the taps of the mask, given or computed from the factors.
template <class T>
std::vector<double> mask_of(const Stencil<T>& stencil) {
  if (stencil.method != Method::separable) return {stencil.taps.begin(), stencil.taps.end()};
  std::vector<double> mask;
  for (Index plane = 0; plane < stencil.depth; ++plane)
    for (Index j = 0; j < stencil.height; ++j)
      for (Index i = 0; i < stencil.width; ++i) mask.push_back(separable_tap(stencil, plane, j, i));
  return mask;
}

/// Sums of one output.
struct Sums {
  double value = 0;     ///< sum of M * N
  double valid = 0;     ///< sum of M over valid points
  double weight = 0;    ///< sum of |M| over valid points
  double total = 0;     ///< sum of M
  double absolute = 0;  ///< sum of |M|
};

double renormalized(const Sums& sums, double min_valid) {
  if (sums.weight < min_valid * sums.absolute || sums.weight == 0 || sums.valid == 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return sums.valid == sums.total ? sums.value : sums.value * (sums.total / sums.valid);
}

template <class T>
double output(const Stencil<T>& stencil, const std::vector<double>& mask,
              const FieldView<const T>& source, Index b, Index y, Index x) {
  Sums sums;
  for (Index n = 0; n < std::ssize(mask); ++n) {  // in row-major order
    const Index i = n % stencil.width, j = n / stencil.width % stencil.height,
                k = n / stencil.width / stencil.height;
    const double tap = mask[n];
    const double point = source.at(b * stencil.plane_stride + k, y * stencil.stride[0] + j,
                                   x * stencil.stride[1] + i);
    sums.total += tap;
    sums.absolute += std::abs(tap);
    if (tap == 0 && !stencil.multiply_zeros) continue;
    if (stencil.min_valid && std::isnan(point)) continue;
    sums.value += tap * point;
    sums.valid += tap;
    sums.weight += std::abs(tap);
  }
  return stencil.min_valid ? renormalized(sums, *stencil.min_valid) : sums.value;
}

}  // namespace

template <class T>
void convolve_reference(const Stencil<T>& stencil, FieldView<const T> source,
                        FieldView<double> target) {
  const std::vector<double> mask = mask_of(stencil);
  for (Index b = 0; b < target.extent[0]; ++b) {
    for (Index y = 0; y < target.extent[1]; ++y) {
      for (Index x = 0; x < target.extent[2]; ++x) {
        target.at(b, y, x) = output(stencil, mask, source, b, y, x);
      }
    }
  }
}

template void convolve_reference(const Stencil<float>&, FieldView<const float>, FieldView<double>);
template void convolve_reference(const Stencil<double>&, FieldView<const double>,
                                 FieldView<double>);

}  // namespace stencil
