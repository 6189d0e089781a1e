#include "drivers/plan/make/complex_rules.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "drivers/plan/make/refuse.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

bool is_floating(ElementType type) {
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

bool begins_with(const std::string& name, int letter) {
  return !name.empty() && std::tolower(static_cast<unsigned char>(name.front())) == letter;
}

}  // namespace

void check_complex(const Config& config, const std::vector<StageMask>& masks,
                   const DatasetFacts& facts) {
  if (!facts.is_complex()) return;
  const std::string numbers = fmt::format("{} holds {}", name_of(facts), type_name(facts));
  for (std::size_t i = 0; i < config.stages.size(); ++i)
    check_stage(config.stages[i], masks[i], numbers);
  check_missing(config.missing, facts, numbers);
  if (const auto type = config.output.dtype; type && !is_floating(*type))
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

std::string note_on_parts(const DatasetFacts& facts) {
  if (!facts.is_complex()) return "";
  const std::string &real = facts.part_names[0], &imaginary = facts.part_names[1];
  if (begins_with(real, 'r') && begins_with(imaginary, 'i')) return "";
  return fmt::format(
      "{} is read as complex numbers: `{}` is the real part and `{}` the imaginary part",
      name_of(facts), one_line(real), one_line(imaginary));
}

}  // namespace stencil
