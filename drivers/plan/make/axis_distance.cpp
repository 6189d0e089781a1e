#include "drivers/plan/make/axis_distance.hpp"

#include <fmt/core.h>

#include "drivers/plan/make/refuse.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {

AxisDistance::AxisDistance(const StageConfig& stage, const std::string& what,
                           const StageInputs& inputs, int axis)
    : axis_(axis) {
  using Kind = AxisCoordinates::Kind;
  const auto at = static_cast<std::size_t>(axis);
  const AxisCoordinates& found = inputs.whole.coordinates.at(at);
  const double rate = inputs.rate[at];
  kind_ = found.kind;
  const bool is_joined = inputs.whole.joined_axis == axis;
  const bool has_none = found.kind == Kind::none;
  if (has_none && rate > 0) {  // rate without dimension scale, or the time axis of several files
    kind_ = Kind::time;
    unit_ = "s";
    value_ = 1 / rate;
    return;
  }
  if (has_none)
    refuse(stage,
           fmt::format("{}: {}: write a number", what,
                       is_joined ? fmt::format("files are joined along axis {}, and each has "
                                               "other coordinates",
                                               axis)
                                 : fmt::format("axis {} has no dimension scale of numbers", axis)));
  if (found.step == 0)
    refuse(stage, fmt::format("{}: the coordinates of axis {} ({}) are not evenly spaced: {}: "
                              "resample the data, or write a number",
                              what, axis, shortened(found.source), found.uneven));
  const bool is_angle = found.kind == Kind::latitude || found.kind == Kind::longitude;
  unit_ = is_angle ? "m" : found.unit;
  value_ = found.step * static_cast<double>(inputs.apart[at]);
  if (is_angle) value_ *= inputs.whole.earth_radius;
  // the rate has been rounded to the simplest number within the precision of the times
  if (found.kind == Kind::time && rate > 0) value_ = (found.step < 0 ? -1 : 1) / rate;
}

}  // namespace stencil
