#include "drivers/config/canonical.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drivers/config/keys.hpp"
#include "drivers/config/selection_words.hpp"

namespace stencil {

namespace {

/// Collects the lines of one section.
class Lines {
 public:
  explicit Lines(std::string section) : section_(std::move(section)) {}

  template <class T>
  void add(std::string_view key, const T& value) {
    text_ += fmt::format("{}.{}={}\n", section_, key, value);
  }
  template <class T>
  void add(std::string_view key, const std::vector<T>& values, std::string_view separator = " ") {
    text_ += fmt::format("{}.{}={}\n", section_, key, fmt::join(values, separator));
  }
  const std::string& text() const { return text_; }

 private:
  std::string section_;
  std::string text_;
};

std::string input_text(const Config::Input& input) {
  Lines lines("input");
  lines.add("file", input.file);
  lines.add("dataset", input.dataset);
  if (input.join) lines.add("join", *input.join);
  if (input.joins_new) lines.add("join", "new");
  if (input.gaps != Gaps::refuse) lines.add("gaps", word_of(input.gaps));
  if (input.overlap != Overlap::refuse) lines.add("overlap", word_of(input.overlap));
  if (input.clock != Clock::files) lines.add("clock", word_of(input.clock));
  if (!input.select.empty()) {
    lines.add("select", text_of(input.select));
    lines.add("edges", word_of(input.edges));
  }
  if (input.axis) lines.add("axis", *input.axis);
  if (input.sampling_rate > 0) lines.add("sampling_rate", input.sampling_rate);
  lines.add("packed", word_of(input.packed));
  return lines.text();
}

std::string output_text(const Config::Output& output) {
  Lines lines("output");
  lines.add("dataset", output.dataset);
  lines.add("dtype", word_of(output.dtype));
  if (const auto& scale = output.scale)
    lines.add("scale",
              scale->is_of_input ? "auto" : fmt::format("{} {}", scale->scale, scale->offset));
  if (!output.chunk.empty()) lines.add("chunk", output.chunk, "x");
  lines.add("compression",
            output.gzip_level == 0 ? "none" : fmt::format("gzip:{}", output.gzip_level));
  if (output.copy != Copy::none) lines.add("copy", word_of(output.copy));
  if (output.snapshot_every > 0) lines.add("snapshot_every", output.snapshot_every);
  return lines.text();
}

std::string value_text(const MissingValue& value) {
  if (const auto* numbers = std::get_if<std::vector<ElementValue>>(&value)) {
    std::vector<std::string> words;
    for (const ElementValue& number : *numbers) words.push_back(to_string(number));
    return fmt::format("{}", fmt::join(words, " "));
  }
  if (std::holds_alternative<Automatic>(value)) return "auto";
  return is_none(value) ? "none" : "attribute";
}

std::string missing_text(const Config::Missing& missing) {
  Lines lines("missing");
  lines.add("value", value_text(missing.value));
  lines.add("policy", word_of(missing.policy));
  if (missing.policy == MissingPolicy::renormalize) lines.add("min_valid", missing.min_valid);
  if (missing.policy == MissingPolicy::fill) lines.add("fill_value", missing.fill_value);
  if (missing.edges != BeyondEdges::boundary) lines.add("edges", word_of(missing.edges));
  if (missing.keep) lines.add("keep", "true");
  if (missing.joint) lines.add("joint", "true");
  if (!missing.mask.empty()) lines.add("mask", missing.mask);
  return lines.text();
}

/// Only the keys of the stage's mask family.
void add_family(const StageConfig& stage, Lines& lines) {
  const Family* family = stage.mask.family;
  if (family) lines.add("rank", stage.rank == 0 ? "auto" : fmt::format("{}", stage.rank));
  if (stage.axis) lines.add("axis", *stage.axis);
  if (!family) return;
  for (const std::string& key : split_words(family->keys))
    std::visit(
        [&](auto field) {
          if constexpr (requires { (stage.parameters.*field).c_str(); })
            lines.add(key, (stage.parameters.*field).empty() ? "none" : stage.parameters.*field);
          else
            lines.add(key, stage.parameters.*field);
        },
        find_parameter(key)->field);
}

std::string stage_text(const StageConfig& stage, BeyondEdges edges) {
  Lines lines(stage.name);
  lines.add("operation", word_of(stage.operation));
  lines.add("mask", stage.mask.text);
  add_family(stage, lines);
  std::vector<std::string_view> rules;
  for (const BoundaryRule rule : stage.boundary)
    rules.push_back(stage.fits_edges ? "interp" : word_of(rule));
  const auto& boundary = stage.boundary;
  if (edges == BeyondEdges::boundary) lines.add("boundary", rules);
  if (std::find(boundary.begin(), boundary.end(), BoundaryRule::constant) != boundary.end())
    lines.add("boundary_value", stage.boundary_value);
  lines.add("extent", word_of(stage.extent));
  lines.add("origin", stage.origin);
  lines.add("stride", stage.stride);
  lines.add("steps", stage.steps);
  if (const auto& limit = stage.until_change_below)
    lines.add("until_change_below", fmt::format("{}{}", limit->below, limit->is_rms ? " rms" : ""));
  if (stage.groups != 1) lines.add("groups", stage.groups);
  lines.add("method", word_of(stage.method));
  return lines.text();
}

/// @param ends_early  a stage ends by its change, which is looked at every so many steps
std::string run_text(const Config::Run& run, bool ends_early) {
  Lines lines("run");
  lines.add("precision", word_of(run.precision));
  if (const TimeStep& step = run.time_step; !step.unit.empty())
    lines.add("time_step", fmt::format("{} {}", step.value, step.unit));
  if (ends_early) lines.add("look_every", run.look_every);
  return lines.text();
}

}  // namespace

std::string canonical_text(const Config& config) {
  std::string text =
      input_text(config.input) + output_text(config.output) + missing_text(config.missing);
  for (const StageConfig& stage : config.stages) text += stage_text(stage, config.missing.edges);
  return text + run_text(config.run, config.stages.back().until_change_below.has_value());
}

}  // namespace stencil
