#include "drivers/job/transfer/kept_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "drivers/plan/predict/transfer_boxes.hpp"

namespace stencil {
namespace {

constexpr Index most_points = Index{1} << 18;  // largest number of points read at once

}  // namespace

KeptPoints::KeptPoints(const Plan& plan) : plan_(plan), input_(plan.kept->input) {}

template <class T>
void KeptPoints::mark(const Box& box, FieldView<T> outputs) const {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  const Index filters = plan_.output.filter_count();
  Box inputs = box;  // a filter bank computes several outputs from each input
  inputs.first[0] = box.first[0] / filters;
  inputs.last[0] = (box.last[0] + filters - 1) / filters;
  std::vector<T> memory;
  for (const Box& part :
       transfer_boxes(plan_.output_form, plan_.kept->input.number_chunk(), inputs, most_points)) {
    const Point extent = part.extent();
    memory.resize(static_cast<std::size_t>(part.points()));
    const FieldView<T> points{memory.data(), extent, extent[1] * extent[2], extent[2]};
    input_.read<T>(plan_.output_form, part, points, plan_.kept->missing);
    const Index first = std::max(box.first[0], part.first[0] * filters),
                last = std::min(box.last[0], part.last[0] * filters);
    const Index y0 = part.first[1] - box.first[1], x0 = part.first[2] - box.first[2];
    for (Index b = first; b < last; ++b)
      for (Index y = 0; y < extent[1]; ++y)
        for (Index x = 0; x < extent[2]; ++x)
          if (std::isnan(points.at(b / filters - part.first[0], y, x)))
            outputs.at(b - box.first[0], y0 + y, x0 + x) = nan;
  }
}

template void KeptPoints::mark(const Box&, FieldView<float>) const;
template void KeptPoints::mark(const Box&, FieldView<double>) const;

}  // namespace stencil
