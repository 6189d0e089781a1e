#include "drivers/job/kept_points.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "drivers/plan/transfer_boxes.hpp"

namespace stencil {
namespace {

constexpr Index most_points = Index{1} << 18;  // read at once

}  // namespace

KeptPoints::KeptPoints(const Plan& plan) : plan_(plan), input_(plan.kept->input) {}

template <class T>
void KeptPoints::mark(const Box& box, FieldView<T> outputs) const {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> memory;
  for (const Box& part :
       transfer_boxes(plan_.output_form, plan_.kept->input.chunk, box, most_points)) {
    const Point extent = part.extent();
    memory.resize(static_cast<std::size_t>(part.points()));
    const FieldView<T> points{memory.data(), extent, extent[1] * extent[2], extent[2]};
    input_.read<T>(plan_.output_form, part, points, plan_.kept->missing);
    const FieldView<T> to =
        outputs.window(shifted(part, {-box.first[0], -box.first[1], -box.first[2]}));
    for (Index b = 0; b < extent[0]; ++b)
      for (Index y = 0; y < extent[1]; ++y)
        for (Index x = 0; x < extent[2]; ++x)
          if (std::isnan(points.at(b, y, x))) to.at(b, y, x) = nan;
  }
}

template void KeptPoints::mark(const Box&, FieldView<float>) const;
template void KeptPoints::mark(const Box&, FieldView<double>) const;

}  // namespace stencil
