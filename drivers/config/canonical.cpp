#include "drivers/config/canonical.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drivers/config/keys.hpp"
#include "drivers/config/kind_words.hpp"
#include "drivers/config/selection_words.hpp"
#include "drivers/config/stage.hpp"

namespace stencil {

namespace {

/// Appends the settings of one section to a list of settings.
class Section {
 public:
  Section(std::string section, std::vector<Setting>& settings)
      : section_(std::move(section)), settings_(settings) {}

  template <class T>
  void add(std::string_view key, const T& value) {
    settings_.push_back({section_, std::string(key), fmt::format("{}", value)});
  }
  template <class T>
  void add(std::string_view key, const std::vector<T>& values, std::string_view separator = " ") {
    settings_.push_back(
        {section_, std::string(key), fmt::format("{}", fmt::join(values, separator))});
  }

 private:
  std::string section_;
  std::vector<Setting>& settings_;
};

void add_input(const Config::Input& input, std::vector<Setting>& settings) {
  Section section("input", settings);
  section.add("file", input.file);
  section.add("dataset", input.dataset);
  if (input.join) section.add("join", *input.join);
  if (input.joins_new) section.add("join", "new");
  if (input.gaps != Gaps::refuse) section.add("gaps", word_of(input.gaps));
  if (input.overlap != Overlap::refuse) section.add("overlap", word_of(input.overlap));
  if (input.clock != Clock::files) section.add("clock", word_of(input.clock));
  if (!input.select.empty()) {
    section.add("select", text_of(input.select));
    section.add("edges", word_of(input.edges));
  }
  if (input.axis) section.add("axis", *input.axis);
  if (input.sampling_rate > 0) section.add("sampling_rate", input.sampling_rate);
  section.add("packed", word_of(input.packed));
}

void add_output(const Config::Output& output, std::vector<Setting>& settings) {
  Section section("output", settings);
  section.add("dataset", output.dataset);
  section.add("dtype", word_of(output.dtype));
  if (const auto& scale = output.scale)
    section.add("scale",
                scale->is_of_input ? "auto" : fmt::format("{} {}", scale->scale, scale->offset));
  if (!output.chunk.empty()) section.add("chunk", output.chunk, "x");
  section.add("compression",
              output.gzip_level == 0 ? "none" : fmt::format("gzip:{}", output.gzip_level));
  if (output.copy != Copy::none) section.add("copy", word_of(output.copy));
  if (output.snapshot_every > 0) section.add("snapshot_every", output.snapshot_every);
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

void add_missing(const Config::Missing& missing, std::vector<Setting>& settings) {
  Section section("missing", settings);
  section.add("value", value_text(missing.value));
  section.add("policy", word_of(missing.policy));
  if (missing.policy == MissingPolicy::renormalize) section.add("min_valid", missing.min_valid);
  if (missing.policy == MissingPolicy::fill) section.add("fill_value", missing.fill_value);
  if (missing.edges != BeyondEdges::boundary) section.add("edges", word_of(missing.edges));
  if (missing.keep) section.add("keep", "true");
  if (missing.joint) section.add("joint", "true");
  if (!missing.mask.empty()) section.add("mask", missing.mask);
}

/// Adds the axes of the stage's mask and the keys that belong to its mask family.
void add_family(const StageConfig& stage, Section& section) {
  const Family* family = stage.mask.family;
  if (family) section.add("rank", stage.rank == 0 ? "auto" : fmt::format("{}", stage.rank));
  if (stage.axis) section.add("axis", *stage.axis);
  if (!stage.axes.empty()) section.add("axes", text_of(stage.axes));
  if (!family) return;
  for (const std::string& key : split_words(family->keys))
    if (key == "delta" && stage.parameters.delta_of_coordinates)
      section.add(key, "coordinates");
    else if (key == "delta" && stage.parameters.delta.empty()) {
      // the setting is kept, so that checkpoints of earlier versions remain valid
      if (family->name == "savgol") section.add(key, 1);
    } else if (key == "sigma" && !stage.parameters.sigma_unit.empty())
      section.add(key, fmt::format("{} {}", fmt::join(stage.parameters.sigma, " "),
                                   stage.parameters.sigma_unit));
    else
      std::visit(
          [&](auto field) {
            if constexpr (requires { (stage.parameters.*field).c_str(); })
              section.add(key,
                          (stage.parameters.*field).empty() ? "none" : stage.parameters.*field);
            else
              section.add(key, stage.parameters.*field);
          },
          find_parameter(key)->field);
}

void add_stage(const StageConfig& stage, BeyondEdges edges, std::vector<Setting>& settings) {
  Section section(stage.name, settings);
  section.add("operation", word_of(stage.operation));
  section.add("mask", stage.mask.text);
  add_family(stage, section);
  std::vector<std::string_view> rules;
  for (const BoundaryRule rule : stage.boundary)
    rules.push_back(stage.fits_edges ? "interp" : word_of(rule));
  const auto& boundary = stage.boundary;
  if (edges == BeyondEdges::boundary) section.add("boundary", rules);
  if (std::find(boundary.begin(), boundary.end(), BoundaryRule::constant) != boundary.end())
    section.add("boundary_value", stage.boundary_value);
  section.add("extent", word_of(stage.extent));
  section.add("origin", stage.origin);
  section.add("stride", stage.stride);
  section.add("steps", stage.steps);
  if (const auto& limit = stage.until_change_below)
    section.add("until_change_below",
                fmt::format("{}{}", limit->below, limit->is_rms ? " rms" : ""));
  if (stage.groups != 1) section.add("groups", stage.groups);
  section.add("method", word_of(stage.method));
}

/// @param ends_early  whether a stage stops when its points hardly change; the points are checked
///                    every `look_every` steps
void add_run(const Config::Run& run, bool ends_early, std::vector<Setting>& settings) {
  Section section("run", settings);
  section.add("precision", word_of(run.precision));
  if (const TimeStep& step = run.time_step; !step.unit.empty())
    section.add("time_step", fmt::format("{} {}", step.value, step.unit));
  if (ends_early) section.add("look_every", run.look_every);
}

}  // namespace

std::vector<Setting> canonical_settings(const Config& config) {
  std::vector<Setting> settings;
  add_input(config.input, settings);
  add_output(config.output, settings);
  add_missing(config.missing, settings);
  for (const StageConfig& stage : config.stages) add_stage(stage, config.missing.edges, settings);
  add_run(config.run, config.stages.back().until_change_below.has_value(), settings);
  return settings;
}

std::string canonical_text(const Config& config) {
  std::string text;
  for (const Setting& setting : canonical_settings(config))
    text += fmt::format("{}.{}={}\n", setting.section, setting.key, setting.value);
  return text;
}

}  // namespace stencil
