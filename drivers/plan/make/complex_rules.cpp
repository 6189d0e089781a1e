#include "drivers/plan/make/complex_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "drivers/plan/make/refuse.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/complex_type.hpp"

namespace stencil {
namespace {

bool is_type_of_parts(ElementType type) {
  return type == ElementType::float32 || type == ElementType::float64;
}

void check_stage(const StageConfig& stage, const StageMask& mask, const std::string& numbers) {
  if (mask.channels)
    refuse(stage, fmt::format("mask = {} has 4 axes: {}, and channels of complex numbers are not "
                              "mixed: filter the two parts as real datasets",
                              shortened(stage.mask.text), numbers));
  if (stage.until_change_below)
    refuse(stage, fmt::format("until_change_below: {}, and the change of complex numbers is not "
                              "measured: leave it out",
                              numbers));
  const bool is_constant = std::find(stage.boundary.begin(), stage.boundary.end(),
                                     BoundaryRule::constant) != stage.boundary.end();
  if (is_constant && stage.boundary_value != 0 && !std::isnan(stage.boundary_value))
    refuse(stage, fmt::format("boundary_value = {}: {}, beyond whose edges the constant is 0 or "
                              "nan: write one of these, or another boundary",
                              stage.boundary_value, numbers));
}

void check_missing(const Config::Missing& missing, const DatasetFacts& facts,
                   const std::string& numbers) {
  if (!facts.validity.empty())
    throw WordsError(
        fmt::format("missing.mask = {}: {}, of which only NaN is missing: write NaN "
                    "into the dataset, and leave the key out",
                    shortened(missing.mask), numbers));
  const bool by_attributes = std::holds_alternative<Automatic>(missing.value) ||
                             std::holds_alternative<FromAttributes>(missing.value);
  if (by_attributes && !facts.missing_complex.empty())
    throw WordsError(
        fmt::format("the attribute {}: {}, of which only NaN is missing: write NaN into the "
                    "dataset and missing.value = nan, or missing.value = none if no point is "
                    "missing",
                    facts.missing_complex, numbers));
  if (const auto* values = std::get_if<std::vector<ElementValue>>(&missing.value))
    for (const ElementValue& value : *values)
      if (!value.is_nan())
        throw WordsError(fmt::format(
            "missing.value = {}: {}, of which only NaN is missing: write nan, auto or none",
            to_string(value), numbers));
  if (missing.policy == MissingPolicy::fill && missing.fill_value != 0)
    throw WordsError(
        fmt::format("missing.fill_value = {}: {}, whose missing points are filled "
                    "with 0: write fill_value = 0",
                    missing.fill_value, numbers));
}

}  // namespace

void check_complex(const Config& config, const std::vector<StageMask>& masks,
                   const DatasetFacts& facts) {
  if (!facts.is_complex()) return;
  const std::string numbers = fmt::format("{} holds {}", name_of(facts), type_name(facts));
  for (std::size_t i = 0; i < config.stages.size(); ++i)
    check_stage(config.stages[i], masks[i], numbers);
  check_missing(config.missing, facts, numbers);
  if (const auto type = config.output.dtype; type && !is_type_of_parts(*type))
    throw WordsError(
        fmt::format("output.dtype = {}: {}: write float32 for complex64, or float64 "
                    "for complex128",
                    to_string(*type), numbers));
  if (config.output.scale)
    throw WordsError(fmt::format("output.scale: {}, which are not packed: leave it out", numbers));
  if (facts.is_unpacked())
    throw WordsError(
        fmt::format("{}, with the attributes of packed numbers: write input.packed = "
                    "stored to filter the numbers as they are stored",
                    numbers));
}

void check_complex_taps(const Config& config, const std::vector<StageMask>& masks,
                        const std::vector<int>& active, const DatasetFacts& facts) {
  const auto found = std::find_if(masks.begin(), masks.end(),
                                  [](const StageMask& mask) { return mask.imaginary.has_value(); });
  if (found == masks.end()) return;
  const auto& stage = config.stages[static_cast<std::size_t>(found - masks.begin())];
  const std::string taps = fmt::format("mask = {} holds complex taps", shortened(stage.mask.text));
  const bool has_latitudes = std::any_of(
      masks.begin(), masks.end(), [](const StageMask& mask) { return mask.latitudes.has_value(); });
  if (active.size() > 2)
    refuse(stage,
           fmt::format("{}, and masks of such a run have at most two different axes{}: make "
                       "two runs",
                       taps, has_latitudes ? ", of which the axis of latitudes is one" : ""));
  if (config.missing.policy == MissingPolicy::renormalize)
    refuse(stage, taps +
                      ", for which missing.policy = renormalize is not there: write propagate "
                      "or fill");
  if (config.missing.keep)
    refuse(stage, taps + ", for which missing.keep is not there: write keep = false");
  if (config.output.scale || (config.output.dtype && !is_type_of_parts(*config.output.dtype)))
    refuse(stage, taps +
                      ", so the output is complex: leave out output.scale, and write "
                      "output.dtype = float32 or float64");
  bool is_complex = facts.is_complex();
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (masks[i].channels)
      refuse(config.stages[i],
             "has a mask of 4 axes, and another mask has complex taps: make two "
             "runs");
    if (config.stages[i].until_change_below)
      refuse(config.stages[i],
             "until_change_below: the change of complex numbers is not measured: "
             "leave it out");
    if (config.stages[i].steps > 1 && masks[i].imaginary && !is_complex)
      refuse(config.stages[i], fmt::format("steps = {}: the first step makes complex numbers of "
                                           "real ones: write steps = 1, or store complex numbers",
                                           config.stages[i].steps));
    const bool is_later = i > 0 && is_complex && !facts.is_complex();
    if (const double beyond = config.stages[i].boundary_value;
        is_later && beyond != 0 && !std::isnan(beyond))
      refuse(config.stages[i],
             "boundary_value: beyond the edges of complex numbers the constant "
             "is 0 or nan: write one of these, or leave it out");
    is_complex = is_complex || masks[i].imaginary;
  }
}

std::string note_on_parts(const DatasetFacts& facts) {
  if (!facts.is_complex()) return "";
  const std::string &real = facts.part_names[0], &imaginary = facts.part_names[1];
  if (storage::are_names_of_parts(real, imaginary)) return "";
  return fmt::format(
      "{} is read as complex numbers: `{}` is the real part and `{}` the imaginary part",
      name_of(facts), one_line(real), one_line(imaginary));
}

}  // namespace stencil
