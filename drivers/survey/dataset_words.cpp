#include "drivers/survey/dataset_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

/// Rate in Hz below which a spacing in the unit of the file is easier to read than a frequency.
constexpr double least_readable_rate = 0.1;

std::string rate_words(const ListedDataset& dataset, std::size_t axis) {
  const ListedAxis& listed = dataset.axes[axis];
  const double rate = dataset.facts.sampling_rate[axis];
  const std::string unit = listed.unit == "1" ? "" : unit_words(listed);
  const bool has_spacing = listed.spacing != 0 && !unit.empty();
  if (rate > 0 && (rate >= least_readable_rate || !has_spacing))
    return fmt::format("{:.10g} Hz ({})", rate, one_line(dataset.facts.sampling_source[axis]));
  if (has_spacing) return fmt::format("spacing {:.10g} {}", listed.spacing, unit);
  if (listed.spacing != 0) return fmt::format("spacing {:.10g}", listed.spacing);
  if (!listed.is_listed) return "";
  return unit.empty() ? "uneven coordinates" : fmt::format("uneven coordinates in {}", unit);
}

}  // namespace

std::string shape_words(const DatasetFacts& facts) {
  return fmt::format("{}", fmt::join(facts.dims, " x "));
}

std::string type_words(const DatasetFacts& facts) {
  return type_name(facts);
}

std::string storage_words(const DatasetFacts& facts) {
  std::string words = facts.layout;
  if (!facts.chunk.empty()) words = fmt::format("chunk {}", fmt::join(facts.chunk, "x"));
  if (!facts.filters.empty()) words += ", " + facts.filters;
  if (!facts.sources.empty())
    words += fmt::format(", of {} other file{}", facts.sources.size(),
                         facts.sources.size() == 1 ? "" : "s");
  return words;
}

std::string unit_words(const ListedAxis& axis) {
  return shortened(axis.unit.substr(0, axis.unit.find(" since ")));
}

std::string axis_words(const ListedDataset& dataset, std::size_t axis) {
  const std::string& name = dataset.axes[axis].name;
  const Index points = dataset.facts.dims[axis];
  std::string words = name.empty() ? "" : shortened(name) + ": ";
  words += fmt::format("{} point{}", points, points == 1 ? "" : "s");
  const std::string rate = rate_words(dataset, axis);
  if (!rate.empty()) words += ", " + rate;
  for (const TimeHole& hole : dataset.facts.holes)
    if (hole.axis == static_cast<int>(axis))
      words += fmt::format(", {} missing before point {}", hole.points, hole.before);
  return words;
}

std::string missing_words(const DatasetFacts& facts) {
  std::vector<std::string> words;
  const auto add = [&](const std::vector<ElementValue>& values, const char* remark) {
    for (const ElementValue& value : values) {
      const std::string text = to_string(value);
      const bool is_new = std::none_of(words.begin(), words.end(), [&](const std::string& word) {
        return word == text || word.starts_with(text + " (");
      });
      if (is_new) words.push_back(text + remark);
    }
  };
  const bool is_named = !facts.missing_values.empty();
  add(facts.missing_unasked, is_named ? "" : " (netCDF's default)");
  add(facts.missing_values, " (with missing.value = attribute)");
  if (facts.valid_min) words.push_back("below " + to_string(*facts.valid_min));
  if (facts.valid_max) words.push_back("above " + to_string(*facts.valid_max));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string packing_words(const DatasetFacts& facts) {
  std::string words;
  if (facts.is_packed)
    words = fmt::format("number * {:.10g} {} {:.10g}", facts.scale_factor,
                        facts.add_offset < 0 ? "-" : "+", std::abs(facts.add_offset));
  if (facts.has_other_sign) words += words.empty() ? "_Unsigned" : ", _Unsigned";
  return words;
}

}  // namespace stencil
