#include "drivers/plan/make/output_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/native_type.hpp"

namespace stencil {
namespace {

/// The sum of taps, and the sum of their absolute values (`weight`). Rounding errors are small
/// relative to `weight`.
struct TapSums {
  double sum = 0, weight = 0;
};

TapSums sums_of(const std::vector<double>& taps) {
  TapSums sums;
  for (const double tap : taps) sums.sum += tap, sums.weight += std::abs(tap);
  return sums;
}

TapSums sums_of(const Mask& mask) {
  if (!mask.taps.values.empty()) return sums_of(mask.taps.values);
  // A mask without explicit taps is the outer product of a column and a row.
  const TapSums column = sums_of(mask.factors->column), row = sums_of(mask.factors->row);
  return {column.sum * row.sum, column.weight * row.weight};
}

/// Largest relative difference between sums of taps that is attributed to rounding: `rounding` for
/// taps in float64, `rounding_of_filters` for filters that a file stores in float32.
constexpr double rounding = 1e-9, rounding_of_filters = 1e-6;

/// Returns the result of one application of a stage to a constant 1; std::nullopt if the results of
/// channels or filters differ.
std::optional<double> sum_of(const BoundStage& stage) {
  // if `rows` is set, the masks of the rows or their factors differ
  if (stage.channels || stage.rows) return std::nullopt;
  const auto [sum, weight] = sums_of(stage.choice.mask);
  for (const MethodChoice& one : stage.bank) {
    const auto [other, other_weight] = sums_of(one.mask);
    if (std::abs(other - sum) > rounding_of_filters * std::max(weight, other_weight))
      return std::nullopt;
  }
  return std::abs(sum) <= rounding * weight ? 0 : sum;
}

/// Returns the number of an integer type that represents missing points: the lowest number, or the
/// highest if the type has no negative numbers.
ElementValue end_of_range(ElementType type) {
  return storage::visit_element(type, [](auto example) -> ElementValue {
    using Limits = std::numeric_limits<decltype(example)>;
    return Limits::is_signed ? Limits::lowest() : Limits::max();
  });
}

bool is_end_of_range(ElementType type, const ElementValue& value) {
  return storage::visit_element(type, [&](auto example) {
    using Limits = std::numeric_limits<decltype(example)>;
    return value == ElementValue(Limits::lowest()) || value == ElementValue(Limits::max());
  });
}

bool is_mean(const Mask& mask) {
  const auto [sum, weight] = sums_of(mask);
  return std::abs(sum - 1) < rounding_of_filters && weight - sum <= rounding * weight;
}

/// Returns whether every result is a weighted mean of inputs, so that it lies in the range of the
/// valid numbers.
bool are_means(const Problem& problem) {
  const auto& stages = problem.chain.stages;
  return std::all_of(stages.begin(), stages.end(), [](const BoundStage& stage) {
    return !stage.channels && !stage.edge_fit && is_mean(stage.choice.mask) &&
           std::all_of(stage.bank.begin(), stage.bank.end(),
                       [](const MethodChoice& one) { return is_mean(one.mask); });
  });
}

/// Returns whether any stage treats points beyond the edges of its input as missing, that is,
/// whether its boundary value is the constant NaN.
bool has_missing_edges(const Problem& problem) {
  const auto& stages = problem.chain.stages;
  return std::any_of(stages.begin(), stages.end(), [](const BoundStage& stage) {
    const auto& rule = stage.boundary.rule;
    return std::isnan(stage.boundary.value) &&
           std::find(rule.begin(), rule.end(), BoundaryRule::constant) != rule.end();
  });
}

/// Returns whether the results at some latitudes are missing: derivatives along longitudes at the
/// poles.
bool has_missing_rows(const Problem& problem) {
  const auto& stages = problem.chain.stages;
  return std::any_of(stages.begin(), stages.end(), [](const BoundStage& stage) {
    return stage.rows && std::any_of(stage.rows->factors.begin(), stage.rows->factors.end(),
                                     [](double factor) { return std::isnan(factor); });
  });
}

/// Returns whether a stored number represents the same value in the output as in the input.
bool keeps_numbers(const DatasetFacts& input, const OutputSpec& spec) {
  if (spec.type != input.number_type()) return false;
  const auto& packing = spec.packing;
  if (!packing) return !input.is_unpacked();
  return input.is_unpacked() && packing->scale == input.scale_factor &&
         packing->offset == input.add_offset;
}

/// Returns the result of all stages for the input's add_offset. Stages filter the stored numbers,
/// so the offset is added to their results.
double offset_of_outputs(const Config& config, const Problem& problem) {
  if (problem.input.add_offset == 0 || keeps_constants(problem)) return problem.input.add_offset;
  if (config.output.snapshot_every > 0)
    throw WordsError(
        fmt::format("output.scale: {} has add_offset = {}, which each step of taps that do not sum "
                    "to 1 changes, "
                    "and snapshots have one: write output.scale = none",
                    one_line(problem.input.dataset), problem.input.add_offset));
  double offset = problem.input.add_offset;
  for (const BoundStage& stage : problem.chain.stages) {
    const auto sum = sum_of(stage);
    if (!sum)
      throw WordsError(
          fmt::format("output.scale: {} has add_offset = {}, which the channels or filters of [{}] "
                      "weigh differently, and "
                      "an output has one: write output.scale = none",
                      one_line(problem.input.dataset), problem.input.add_offset, stage.name));
    offset *= std::pow(*sum, double(stage.steps));
  }
  return offset;
}

/// Returns the offset of an output that is packed like its input: the result of the taps for the
/// input's offset, so that derivatives are packed around 0. If channels, filters or snapshots have
/// different offsets, returns the input's offset; any offset unpacks to the same values.
double offset_of_values(const Config& config, const Problem& problem) {
  double offset = problem.input.add_offset;
  if (config.output.snapshot_every > 0 || keeps_constants(problem)) return offset;
  for (const BoundStage& stage : problem.chain.stages) {
    const auto sum = sum_of(stage);
    if (!sum) return problem.input.add_offset;
    offset *= std::pow(*sum, double(stage.steps));
  }
  return std::isfinite(offset) ? offset : problem.input.add_offset;
}

}  // namespace

bool keeps_constants(const Problem& problem) {
  return std::all_of(problem.chain.stages.begin(), problem.chain.stages.end(),
                     [&](const BoundStage& stage) {
                       const auto sum = sum_of(stage);
                       return sum && std::abs(*sum - 1) < 1e-6;
                     });
}

std::optional<storage::Packing> packing_of(const Config& config, const Problem& problem) {
  const auto& words = config.output.scale;
  if (!words) return std::nullopt;
  const DatasetFacts& input = problem.input;
  if (input.is_unpacked())
    return words->is_of_input ? storage::Packing{.scale = input.scale_factor,
                                                 .offset = offset_of_values(config, problem)}
                              : storage::Packing{.scale = words->scale, .offset = words->offset};
  const std::string name = one_line(input.dataset);
  const bool is_sound = std::isfinite(input.scale_factor) && std::isfinite(input.add_offset) &&
                        input.scale_factor != 0;
  if (!is_sound)
    throw WordsError(fmt::format(
        "output.scale: {} has scale_factor = {} and add_offset = {}, which no value has: write "
        "output.scale = none",
        name, input.scale_factor, input.add_offset));
  if (!words->is_of_input)
    return storage::Packing{.scale = words->scale,
                            .offset = words->offset,
                            .input_scale = input.scale_factor,
                            .input_offset = offset_of_outputs(config, problem)};
  if (input.is_packed) {
    if (keeps_constants(problem)) return std::nullopt;  // the input's attributes are copied
    return storage::Packing{.scale = input.scale_factor,
                            .offset = offset_of_outputs(config, problem),
                            .as_computed = true};
  }
  if (is_floating(input.type))
    throw WordsError(
        fmt::format("output.scale = auto: {} is not packed, and the range of its {} results is not "
                    "known before the run: write output.scale = SCALE OFFSET, for int16 about the "
                    "range of the results over 65000, and its middle",
                    name, to_string(input.type)));
  return std::nullopt;  // integers without packing remain integers
}

std::optional<ElementValue> missing_value_of(const Config& config, const Problem& problem,
                                             const OutputSpec& spec) {
  const bool may_miss =
      (problem.missing && (config.missing.policy != MissingPolicy::fill || config.missing.keep)) ||
      has_missing_edges(problem) || has_missing_rows(problem);
  const bool is_packed = spec.packing && !spec.packing->as_computed;
  if (!may_miss && !(is_packed && is_floating(problem.input.type))) return std::nullopt;
  if (is_floating(spec.type)) return std::numeric_limits<double>::quiet_NaN();
  if (problem.missing && may_miss && keeps_numbers(problem.input, spec) && are_means(problem))
    for (const ElementValue& value : problem.missing->values)
      if (is_end_of_range(spec.type, value)) return value;
  return end_of_range(spec.type);
}

}  // namespace stencil
