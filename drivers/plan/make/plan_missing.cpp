#include "drivers/plan/make/plan_missing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "drivers/plan/make/plan_output.hpp"
#include "framework/grid/error.hpp"
#include "io/hdf5/packed_numbers.hpp"
#include "io/read/select.hpp"

namespace stencil {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Returns the stored number of a limit that is given in the unit of the values.
double number_at(double limit, const DatasetFacts& facts) {
  const double exact = (limit - facts.add_offset) / facts.scale_factor;
  // removes rounding errors: in float64, 0.3 / 0.1 is slightly less than 3
  const double whole = std::nearbyint(exact);
  return std::abs(exact - whole) <= 1e-6 * std::max(1.0, std::abs(whole)) ? whole : exact;
}

/// Adds the valid range, in stored numbers.
void add_range(const DatasetFacts& facts, MissingPoints& missing) {
  const auto limit = [&](const std::optional<ElementValue>& value) -> std::optional<ElementValue> {
    if (!value) return std::nullopt;
    if (facts.range_is_of_values) return number_at(value->to_double(), facts);
    return storage::number_in(*value, facts.type, facts.number_type());
  };
  const storage::PackedNumbers packing{facts.is_packed, facts.scale_factor, facts.add_offset};
  if (facts.range_is_of_values && !packing.is_sound()) return;
  missing.low = limit(facts.valid_min);
  missing.high = limit(facts.valid_max);
  if (facts.range_is_of_values && facts.scale_factor < 0) std::swap(missing.low, missing.high);
}

void add_attributes(const Config& config, const DatasetFacts& facts, MissingPoints& missing) {
  const bool is_automatic = std::holds_alternative<Automatic>(config.missing.value);
  for (const ElementValue& value : is_automatic ? facts.missing_unasked : facts.missing_values)
    missing.values.push_back(storage::number_in(value, facts.type, facts.number_type()));
  add_range(facts, missing);
  // Under policy = propagate, NaN need not be treated as missing, because NaN propagate anyway.
  if (is_automatic && config.missing.policy != MissingPolicy::propagate && is_floating(facts.type))
    missing.values.push_back(nan);
}

}  // namespace

std::optional<MissingPoints> missing_points(const Config& config, const DatasetFacts& facts) {
  const auto& words = config.missing;
  MissingPoints missing;
  if (is_none(words.value)) {
    if (facts.validity.empty()) return std::nullopt;
  } else if (const auto* numbers = std::get_if<std::vector<ElementValue>>(&words.value)) {
    missing.values = *numbers;
  } else {
    add_attributes(config, facts, missing);
  }
  if (missing.values.empty() && !missing.low && !missing.high && facts.validity.empty())
    return std::nullopt;
  missing.replacement = words.policy == MissingPolicy::fill ? words.fill_value : nan;
  return missing;
}

KeptMissing kept_missing(const DatasetFacts& whole, const Problem& problem) {
  std::vector<AxisSelection> points;
  bool is_whole = true, is_on_points = true;
  const std::vector<AxisSampling> sampling = sampling_of_input(problem);
  for (std::size_t axis = 0; axis < sampling.size(); ++axis) {
    const AxisSampling& s = sampling[axis];
    const Index last = s.first + (s.count - 1) * s.stride;
    is_on_points = is_on_points && s.block_in == 1 && s.block_out == 1 && s.first >= 0 &&
                   last < whole.dims[axis];
    points.push_back({s.first, s.stride, s.count});
    is_whole = is_whole && points.back() == AxisSelection{0, 1, whole.dims[axis]};
  }
  if (problem.output.snapshots || !is_on_points)
    throw WordsError(fmt::format(
        "missing.keep = true: {}: write keep = false",
        problem.output.snapshots
            ? "snapshots hold no missing points of the input but those of the policy"
            : "outputs lie beyond the edges of the input, or combine several of its channels"));
  MissingPoints missing = *problem.missing;
  // NaN is also used for policy = fill, because the fill value does not mark a missing point
  missing.replacement = nan;
  return {is_whole ? whole : select(whole, points), std::move(missing)};
}

}  // namespace stencil
