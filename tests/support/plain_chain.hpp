// Computes chains of stencils in plain loops over the points. Tests compare the results of apply()
// and of pipelines with the results of these loops.
#pragma once

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "drivers/pipeline/stage.hpp"

namespace stencil::test {

inline const std::vector<BoundaryRule> rules{BoundaryRule::reflect, BoundaryRule::mirror,
                                             BoundaryRule::nearest, BoundaryRule::wrap,
                                             BoundaryRule::constant};

/// An array `{batch, y, x}` of points in double precision.
struct Points {
  Point shape{};
  std::vector<double> values;

  explicit Points(const Point& extents)
      : shape(extents), values(static_cast<std::size_t>(stencil::points(extents))) {}
  double& at(Index b, Index y, Index x) {
    return values[static_cast<std::size_t>((b * shape[1] + y) * shape[2] + x)];
  }
  /// The value at any index, inside or beyond the edges, according to the boundary rules.
  double beyond(const Point& index, const Boundary& boundary) {
    Point inside;
    for (int axis = 0; axis < axes; ++axis) {
      const auto at_axis = static_cast<std::size_t>(axis);
      const auto source = source_index(boundary.rule[at_axis], index[at_axis], shape[at_axis]);
      if (!source) return boundary.value;
      inside[at_axis] = *source;
    }
    return at(inside[0], inside[1], inside[2]);
  }
};

/// Points with whole numbers, so that every order of additions gives the same sum.
inline Points numbered(const Point& shape, double missing_every = 0) {
  Points points(shape);
  for (std::size_t k = 0; k < points.values.size(); ++k) {
    points.values[k] = double(k * 7919 % 101) - 50;
    if (missing_every > 0 && k % std::size_t(missing_every) == 1)
      points.values[k] = std::numeric_limits<double>::quiet_NaN();
  }
  return points;
}

/// The index of the input under the mask's centre for output 0, and the number of outputs.
inline std::pair<Index, Index> outputs_along(const Stage& stage, Index inputs, Index width,
                                             Index centre, Index stride) {
  Index first = 0, count = inputs;
  if (stage.extent == Extent::valid) first = centre, count = inputs - width + 1;
  if (stage.extent == Extent::full) first = centre - width + 1, count = inputs + width - 1;
  return {first, (count - 1) / stride + 1};
}

/// Computes one step with one mask, output by output.
inline Points summed(const Stage& stage, const Mask& mask, Points in) {
  const bool along_batch = mask.rank == 1 && mask.axis == batch_axis;
  const Point width =
      along_batch ? Point{mask.taps.height, 1, 1} : Point{1, mask.taps.height, mask.taps.width};
  const Point centre =
      along_batch ? Point{mask.centre[0], 0, 0} : Point{0, mask.centre[0], mask.centre[1]};
  const Point stride =
      along_batch ? Point{stage.stride[0], 1, 1} : Point{1, stage.stride[0], stage.stride[1]};
  Point first, shape;
  for (int axis = 0; axis < axes; ++axis) {
    const bool has_taps = along_batch ? axis == 0 : mask.rank == 2 ? axis > 0 : axis == mask.axis;
    std::tie(first[axis], shape[axis]) =
        has_taps ? outputs_along(stage, in.shape[axis], width[axis], centre[axis], stride[axis])
                 : std::pair<Index, Index>{0, in.shape[axis]};
  }
  double whole = 0, weight = 0;
  for (const double tap : mask.taps.values) whole += tap, weight += std::abs(tap);
  Points out(shape);
  for (Index b = 0; b < shape[0]; ++b)
    for (Index y = 0; y < shape[1]; ++y)
      for (Index x = 0; x < shape[2]; ++x) {
        double sum = 0, valid = 0, share = 0;
        for (Index j = 0; j < mask.taps.height; ++j)
          for (Index i = 0; i < mask.taps.width; ++i) {
            const Point at{first[0] + b * stride[0] - centre[0] + (along_batch ? j : 0),
                           first[1] + y * stride[1] - centre[1] + (along_batch ? 0 : j),
                           first[2] + x * stride[2] - centre[2] + i};
            const double tap = mask.taps.at(j, i), value = in.beyond(at, stage.boundary);
            if (stage.min_valid && std::isnan(value)) continue;
            sum += tap * value, valid += tap, share += std::abs(tap);
          }
        if (stage.min_valid)
          sum = share > 0 && share >= *stage.min_valid * weight
                    ? sum * (whole / valid)
                    : std::numeric_limits<double>::quiet_NaN();
        out.at(b, y, x) = sum;
      }
  return out;
}

inline Points mixed(const Stage& stage, const ChannelMask& mask, Points in) {
  const Index images = in.shape[0] / mask.channels();
  Points out({images * mask.out, in.shape[1], in.shape[2]});
  for (Index n = 0; n < images; ++n)
    for (Index o = 0; o < mask.out; ++o)
      for (Index y = 0; y < in.shape[1]; ++y)
        for (Index x = 0; x < in.shape[2]; ++x)
          for (Index c = 0; c < mask.in; ++c)
            for (Index j = 0; j < mask.height; ++j)
              for (Index i = 0; i < mask.width; ++i) {
                const Index group = o / (mask.out / mask.groups);
                const auto tap = static_cast<std::size_t>(
                    ((o * mask.in + c) * mask.height + j) * mask.width + i);
                out.at(n * mask.out + o, y, x) +=
                    mask.values[tap] * in.beyond({n * mask.channels() + group * mask.in + c,
                                                  y + j - mask.centre[0], x + i - mask.centre[1]},
                                                 stage.boundary);
              }
  return out;
}

/// The expected output of a chain, in plain loops.
inline Points expected(const std::vector<Stage>& stages, Points points) {
  for (const Stage& stage : stages)
    for (Index step = 0; step < stage.steps; ++step) {
      if (stage.channels) {
        points = mixed(stage, *stage.channels, points);
      } else if (!stage.bank.empty()) {
        const auto filters = static_cast<Index>(stage.bank.size());
        std::vector<Points> each;
        for (const Mask& mask : stage.bank) each.push_back(summed(stage, mask, points));
        const Point one = each.front().shape;
        Points all({one[0] * filters, one[1], one[2]});
        for (Index k = 0; k < filters; ++k)
          for (Index b = 0; b < one[0]; ++b)
            for (Index y = 0; y < one[1]; ++y)
              for (Index x = 0; x < one[2]; ++x)
                all.at(b * filters + k, y, x) = each[std::size_t(k)].at(b, y, x);
        points = all;
      } else {
        points = summed(stage, stage.mask, points);
      }
    }
  return points;
}

inline std::vector<double> whole_taps(Index count) {
  std::vector<double> taps;
  for (Index k = 0; k < count; ++k) taps.push_back(double((k * 5 + 3) % 7) - (k % 3 == 1 ? 0 : 2));
  return taps;
}

}  // namespace stencil::test
