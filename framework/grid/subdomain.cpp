#include "framework/grid/subdomain.hpp"

#include <algorithm>

namespace stencil {

Point Subdomain::local(const Point& global) const {
  Point result;
  for (int axis = 0; axis < axes; ++axis)
    result[axis] = global[axis] - owned.first[axis] + halo.low[axis];
  return result;
}

Point Subdomain::global(const Point& local) const {
  Point result;
  for (int axis = 0; axis < axes; ++axis)
    result[axis] = local[axis] + owned.first[axis] - halo.low[axis];
  return result;
}

namespace {

/// Outputs of `range` whose inputs all lie in `owned`.
Interval ready_outputs(const Interval& range, const Interval& owned, const AxisSampling& s) {
  Interval ready = range;
  while (!ready.empty() && s.low(ready.first) < owned.first) {
    const Index missing = owned.first - s.low(ready.first);
    ready.first += (missing + s.stride - 1) / s.stride;
  }
  while (!ready.empty() && s.low(ready.last - 1) + s.width > owned.last) {
    const Index surplus = s.low(ready.last - 1) + s.width - owned.last;
    ready.last -= (surplus + s.stride - 1) / s.stride;
  }
  return ready;
}

}  // namespace

WorkSplit split_work(const Box& outputs, const Box& owned,
                     const std::array<AxisSampling, axes>& sampling,
                     const std::array<bool, axes>& pending) {
  WorkSplit split{.inner = outputs, .rim = {}};
  if (outputs.empty()) return split;
  for (int axis = 0; axis < axes; ++axis) {
    if (!pending[axis]) continue;
    const Interval whole = outputs.along(axis);
    Interval ready = ready_outputs(whole, owned.along(axis), sampling[axis]);
    if (ready.empty()) return {.inner = {}, .rim = {outputs}};
    // the outputs below and above `ready`; along the axes that follow, they are as wide as the
    // remaining box
    for (const Interval side : {Interval{whole.first, ready.first}, {ready.last, whole.last}}) {
      if (side.empty()) continue;
      Box box = split.inner;
      box.set(axis, side);
      split.rim.push_back(box);
    }
    split.inner.set(axis, ready);
  }
  return split;
}

}  // namespace stencil
