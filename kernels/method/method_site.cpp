#include "kernels/method/method_site.hpp"

#include <algorithm>
#include <numeric>

namespace stencil {
namespace {

Index strided(Index dense, Index stride) {
  constexpr Index long_side = Index{1} << 13;  // side that is assumed for an unknown world
  return dense == 0 ? long_side : (dense - 1) / stride + 1;
}

}  // namespace

OutputsGrid grid_of(const Taps& taps, const MethodSite& site) {
  const auto [y, x] = site.world.outputs;
  if (taps.height > 1 && taps.width > 1)
    return {site.world.batch, strided(y, site.stride[0]), strided(x, site.stride[1])};
  const Index along = strided(site.axis_outputs, 1);
  if (taps.height == 1) return {1, site.lines, along};
  const Index columns = std::gcd(site.lines, std::max<Index>(1, x));
  return {site.lines / columns, along, columns};
}

Index direct_taps(const Mask& mask) {
  const auto& values = mask.taps.values;
  if (mask.multiply_zeros) return Index(values.size());
  return Index(values.size()) - std::count(values.begin(), values.end(), 0.0);
}

}  // namespace stencil
