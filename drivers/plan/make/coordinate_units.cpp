#include "drivers/plan/make/coordinate_units.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "drivers/plan/make/refuse.hpp"
#include "drivers/plan/make/values_per_axis.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/metadata/unit.hpp"
#include "kernels/families/families.hpp"

namespace stencil {
namespace {

using Kind = AxisCoordinates::Kind;

// A row of a grid whose distance from a pole is at most this angle in radians (6 m) is treated as
// the pole. Near a pole, latitudes in float32 are exact to 2e-7 rad.
constexpr double at_pole = 1e-6;

std::string sigma_words(const FamilyParameters& p) {
  std::string words = "sigma =";
  for (const double sigma : p.sigma) words += fmt::format(" {}", sigma);
  return fmt::format("{} {}", words, p.sigma_unit);
}

/// Returns the axis of latitudes of a dataset.
/// @param what  the value that needs the axis, for messages
std::size_t latitude_axis(const StageConfig& stage, const DatasetFacts& whole,
                          const std::string& what) {
  const auto& all = whole.coordinates;
  const auto found = std::find_if(all.begin(), all.end(), [](const AxisCoordinates& axis) {
    return axis.kind == Kind::latitude && !axis.latitudes.empty();
  });
  if (found == all.end())
    refuse(stage, fmt::format("{}: the distance between meridians depends on the latitude, and no "
                              "axis has a dimension scale of latitudes (units degrees_north): "
                              "write a number of points",
                              what));
  for (const double latitude : found->latitudes)
    if (!(std::abs(latitude) <= std::numbers::pi / 2 + at_pole))
      refuse(stage,
             fmt::format("{}: {} contains {:.9g} degrees, and latitudes end at 90: mend it, or "
                         "write a number of points",
                         what, shortened(found->source), latitude * 180 / std::numbers::pi));
  return static_cast<std::size_t>(found - all.begin());
}

std::string unit_words(const std::string& unit) {
  return unit.empty() ? "no unit" : shortened(unit);
}

/// Returns the distance along an axis in the unit of the first axis of the mask, because a
/// Laplacian adds the derivatives along all axes.
/// @param first  the first axis of the mask, for messages
double in_common_unit(const StageConfig& stage, const AxisDistance& distance, int first,
                      const std::string& what) {
  if (distance.kind() == Kind::longitude)
    refuse(stage, fmt::format("{}: along longitudes the distance varies with the latitude, and a "
                              "Laplacian on the sphere has further terms: write a mask along one "
                              "axis, or numbers",
                              what));
  if (stage.delta_unit == distance.unit()) return distance.value();
  const auto own = storage::Unit::parse(distance.unit()),
             common = storage::Unit::parse(stage.delta_unit);
  const auto factor = own && common ? own->in(*common) : std::nullopt;
  if (!factor)
    refuse(stage, fmt::format("{}: distances along axis {} are in {}, those along axis {} in {}, "
                              "and a Laplacian adds second derivatives in the same unit: write a "
                              "mask along one axis, or numbers",
                              what, distance.axis(), unit_words(distance.unit()), first,
                              unit_words(stage.delta_unit)));
  return distance.value() * *factor;
}

/// Sets `delta` of a derivative. For derivatives along longitudes, sets the factors of `rows`.
/// @param mask  the mask of the stage, made with any value of `delta`
void resolve_delta(StageConfig& stage, const StageMask& mask, const StageInputs& inputs,
                   std::optional<LatitudeRows>& rows) {
  const std::string what = "delta = coordinates";
  FamilyParameters& p = stage.parameters;
  const std::vector<int>& along = mask.dataset_axes;
  const bool is_sum = stage.mask.family->grid != nullptr && along.size() > 1;
  p.delta.assign(along.size(), 1);
  for (std::size_t i = 0; i < along.size(); ++i) {
    const Index order = mask.orders[i];
    if (order == 0) continue;
    const AxisDistance distance(stage, what, inputs, along[i]);
    if (i == 0 || !is_sum) stage.delta_unit = distance.unit();
    p.delta[i] = is_sum ? in_common_unit(stage, distance, along[0], what) : distance.value();
    if (distance.kind() != Kind::longitude) continue;
    const std::size_t axis = latitude_axis(stage, inputs.whole, what);
    rows = LatitudeRows{.axis = static_cast<int>(axis)};
    for (const double latitude : inputs.whole.coordinates[axis].latitudes)
      rows->factors.push_back(std::abs(latitude) > std::numbers::pi / 2 - at_pole
                                  ? std::numeric_limits<double>::quiet_NaN()
                                  : std::pow(std::cos(latitude), -double(order)));
  }
}

/// Returns `sigma` of an axis in points; along longitudes, the number of points on the equator.
double sigma_in_points(const StageConfig& stage, const AxisDistance& distance,
                       const std::string& what, double sigma) {
  const auto own = storage::Unit::parse(stage.parameters.sigma_unit),
             unit = storage::Unit::parse(distance.unit());
  const auto factor = own && unit && !distance.unit().empty() ? own->in(*unit) : std::nullopt;
  if (!factor && distance.unit().empty())
    refuse(stage, fmt::format("{}: the coordinates of axis {} have no attribute units: write "
                              "sigma as a number of points, without a unit",
                              what, distance.axis()));
  if (!factor)
    refuse(stage, fmt::format("{}: distances along axis {} are in {}: write such a unit, or a "
                              "number of points",
                              what, distance.axis(), shortened(distance.unit())));
  return sigma * *factor / std::abs(distance.value());
}

/// Returns a Gaussian along longitudes. @param sigma  standard deviation in points at the latitude
/// of the mask
Mask gaussian_of(const StageConfig& stage, double sigma, Index points,
                 const std::function<StageMask(const StageConfig&)>& make) {
  StageConfig one = stage;
  FamilyParameters& p = one.parameters;
  p.sigma = {sigma};
  const double radius = std::floor(p.truncate * sigma + 0.5);
  const Index most = (points - 1) / 2;
  p.radius = {std::min(radius, static_cast<double>(most))};
  if (p.radius[0] < 1) {  // 0 means that `truncate` decides; this mask is a single tap
    p.radius = {0};
    p.truncate = 0.4 / sigma;
  }
  return make(one).mask;
}

/// Returns the widest mask of the latitudes in an interval.
Mask widest(const LatitudeRows& rows, const Interval& within) {
  return rows.mask_of(
      *std::max_element(rows.sigma.begin() + within.first, rows.sigma.begin() + within.last));
}

void resolve_sigma(StageConfig& stage, const std::vector<int>& along, const StageInputs& inputs,
                   const std::function<StageMask(const StageConfig&)>& make,
                   std::optional<LatitudeRows>& rows) {
  FamilyParameters& p = stage.parameters;
  const std::string what = sigma_words(p);
  std::vector<double> sigma;
  std::optional<std::size_t> latitudes;
  for (std::size_t i = 0; i < along.size(); ++i) {
    const AxisDistance distance(stage, what, inputs, along[i]);
    sigma.push_back(sigma_in_points(stage, distance, what, p.sigma[p.sigma.size() == 1 ? 0 : i]));
    if (distance.kind() == Kind::longitude) latitudes = latitude_axis(stage, inputs.whole, what);
  }
  if (latitudes && (along.size() > 1 || stage.mask.family->name != "gaussian"))
    refuse(stage, fmt::format("{}: along longitudes the width varies with the latitude, which is "
                              "possible for mask = gaussian along one axis: write one stage for "
                              "each axis",
                              what));
  p.sigma = sigma;
  if (!latitudes) return;
  if (p.radius.front() > 0)
    refuse(stage, fmt::format("{}: along longitudes the radius varies with the latitude: write "
                              "truncate instead of radius",
                              what));
  if (!rows) rows = LatitudeRows{.axis = static_cast<int>(*latitudes)};
  const auto at = static_cast<std::size_t>(along.front());
  constexpr double least_cosine = 1e-9;  // a Gaussian this wide has equal taps
  for (const double latitude : inputs.whole.coordinates[*latitudes].latitudes)
    rows->sigma.push_back(sigma.front() / std::max(std::cos(latitude), least_cosine));
  const Index points = (inputs.whole.dims[at] - 1) / inputs.apart[at] + 1;
  rows->mask_of = [stage, points, make](double own) {
    return gaussian_of(stage, own, points, make);
  };
}

/// Returns the widths divided by the largest width.
std::vector<double> relative(std::vector<double> widths) {
  const double largest = *std::max_element(widths.begin(), widths.end());
  for (double& width : widths) width /= largest;
  return widths;
}

/// Returns an upper bound of the number of points of the dataset along an axis that the masks of
/// all stages reach on both sides together; the number of all points if a boundary rule is
/// periodic.
/// @param step  points of the dataset from one input to the next
Index reach_along(int axis, const std::vector<StageMask>& masks, const Config& config, Index step,
                  Index points) {
  Index reach = 0;
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const StageConfig& stage = config.stages[i];
    const std::size_t count = masks[i].dataset_axes.size();
    for (std::size_t k = 0; k < count; ++k) {
      if (masks[i].dataset_axes[k] != axis) continue;
      if (value_along(stage, "boundary", stage.boundary, k, count) == BoundaryRule::wrap)
        return points;
      const Index inputs = checked_multiply(masks[i].taps_along(k) - 1, stage.steps);
      reach = checked_add(reach, checked_multiply(inputs, step));
      step = checked_multiply(step, value_along(stage, "stride", stage.stride, k, count));
    }
  }
  return reach;
}

}  // namespace

bool needs_coordinates(const StageConfig& stage) {
  return stage.parameters.delta_of_coordinates || !stage.parameters.sigma_unit.empty();
}

StageMask make_mask_in_units(StageConfig& stage, const StageInputs& inputs,
                             const std::function<StageMask(const StageConfig&)>& make) {
  if (!needs_coordinates(stage)) return make(stage);
  StageConfig narrow = stage;  // the width is replaced, because a width in metres that is taken as
                               // points could need too many taps
  if (!stage.parameters.sigma_unit.empty())
    narrow.parameters.sigma = relative(stage.parameters.sigma);
  const StageMask of_points = make(narrow);
  std::optional<LatitudeRows> rows;
  if (stage.parameters.delta_of_coordinates) resolve_delta(stage, of_points, inputs, rows);
  StageConfig in_points = stage;
  if (!stage.parameters.sigma_unit.empty())
    resolve_sigma(in_points, of_points.dataset_axes, inputs, make, rows);
  if (rows && stage.steps > 1)
    refuse(stage,
           fmt::format("steps = {}: the stage depends on the latitude, which is possible for "
                       "a single step: write steps = 1",
                       stage.steps));
  StageMask mask = make(in_points);
  if (rows && !rows->sigma.empty()) mask.mask = widest(*rows, {0, std::ssize(rows->sigma)});
  mask.latitudes = std::move(rows);
  return mask;
}

void require_few_axes(const std::vector<int>& active, const std::vector<StageMask>& masks) {
  if (active.size() <= axes) return;
  std::vector<int> of_masks, latitudes;
  for (const int axis : active) {
    const bool has_mask = std::any_of(masks.begin(), masks.end(), [&](const StageMask& mask) {
      const std::vector<int>& along = mask.dataset_axes;
      return std::find(along.begin(), along.end(), axis) != along.end();
    });
    (has_mask ? of_masks : latitudes).push_back(axis);
  }
  if (latitudes.empty()) return;  // NormalForm refuses too many axes of masks
  throw WordsError(fmt::format(
      "masks run along the axes {}, and a mask along longitudes also needs axis {}, the "
      "latitudes: a run can have three such axes, write two runs",
      fmt::join(of_masks, ", "), fmt::join(latitudes, ", ")));
}

void set_widest_masks(std::vector<StageMask>& masks, const Config& config,
                      const DatasetFacts& facts) {
  if (facts.wanted.empty()) return;
  for (StageMask& mask : masks) {
    if (!mask.latitudes || mask.latitudes->sigma.empty()) continue;
    const LatitudeRows& rows = *mask.latitudes;
    const Index all = std::ssize(rows.sigma);
    const auto& [first, step, count] = facts.wanted[static_cast<std::size_t>(rows.axis)];
    const bool reads_beyond = config.input.edges == Edges::data;
    const Index reach = reads_beyond ? reach_along(rows.axis, masks, config, step, all) : 0;
    mask.mask = widest(rows, {std::max<Index>(0, first - reach),
                              std::min(all, first + step * (count - 1) + 1 + reach)});
  }
}

LatitudeRows at_inputs(const LatitudeRows& rows, const DatasetFacts& input, const NormalForm& form,
                       const std::vector<BoundStage>& before) {
  const auto at = static_cast<std::size_t>(rows.axis);
  const AxisSelection read =
      input.selected.empty() ? AxisSelection{0, 1, input.dims[at]} : input.selected[at];
  Index first = 0, step = 1, count = read.count;
  if (count > 1)  // an axis with a single point may be merged with another axis
    for (const BoundStage& stage : before) {
      const AxisSampling& sampling = stage.sampling[form.normal_axis(rows.axis)];
      first += step * sampling.first;
      step *= sampling.stride;
      count = sampling.count;
    }
  LatitudeRows part{.axis = rows.axis, .mask_of = rows.mask_of};
  for (Index i = 0; i < count; ++i) {
    // beyond the edges (extent = full) there are no latitudes; the nearest latitude is used
    const Index point = std::clamp<Index>(first + step * i, 0, read.count - 1);
    const auto row = static_cast<std::size_t>(read.first + read.step * point);
    if (!rows.factors.empty()) part.factors.push_back(rows.factors[row]);
    if (!rows.sigma.empty()) part.sigma.push_back(rows.sigma[row]);
  }
  return part;
}

std::string note_on_latitudes(const BoundStage& stage, const DatasetFacts& facts) {
  std::string note =
      fmt::format("[{}] uses distances on a sphere of radius {} m", stage.name, facts.earth_radius);
  if (stage.rows->has_masks()) {
    const auto [least, most] = std::minmax_element(
        stage.rows->masks->begin(), stage.rows->masks->end(),
        [](const Mask& one, const Mask& other) { return one.taps.count() < other.taps.count(); });
    note += fmt::format("; the masks of the latitudes have {} to {} taps", least->taps.count(),
                        most->taps.count());
  }
  const std::vector<double>& factors = stage.rows->factors;
  if (std::any_of(factors.begin(), factors.end(), [](double factor) { return std::isnan(factor); }))
    note += "; at a pole there is no derivative along longitudes, and these outputs are NaN";
  return note;
}

}  // namespace stencil
