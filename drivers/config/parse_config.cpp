#include "drivers/config/parse_config.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <limits>

#include "drivers/config/canonical.hpp"
#include "drivers/config/ini_text.hpp"
#include "drivers/config/kind_words.hpp"
#include "drivers/config/section_reader.hpp"
#include "drivers/config/selection_words.hpp"
#include "drivers/config/sources.hpp"
#include "drivers/config/stage.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_value.hpp"
#include "io/read/dataset_list.hpp"

namespace stencil {

namespace {

constexpr std::size_t most_dataset_axes = 32;  // limit of HDF5
constexpr std::size_t most_grid_axes = 3;      // batch, y, x

Config::Input read_input(const SectionReader& reader) {
  Config::Input input;
  input.file = reader.text("file");
  input.dataset = reader.text("dataset");
  input.joins_new = reader.text("join") == "new";
  if (!input.joins_new && reader.text("join") != "auto") input.join = reader.optional_int("join");
  input.gaps = reader.meaning<Gaps>("gaps");
  input.overlap = reader.meaning<Overlap>("overlap");
  input.clock = reader.meaning<Clock>("clock");
  for (const std::string_view key : {"gaps", "overlap", "clock"})
    if (input.joins_new && reader.given(key))
      reader.refuse(key,
                    "means nothing for join = new, which stacks files of any times: leave it out");
  input.select = reader.read(
      "select", [](const std::string& words, const Key&) { return read_selection(words); });
  input.edges = reader.meaning<Edges>("edges");
  if (reader.text("axis") != "auto") input.axis = reader.optional_int("axis");
  if (reader.text("sampling_rate") != "auto") input.sampling_rate = reader.real("sampling_rate");
  input.packed = reader.meaning<Packed>("packed");
  return input;
}

int read_compression(const SectionReader& reader) {
  return reader.read("compression", [](const std::string& word, const Key& key) {
    if (word == "none") return 0;
    if (word.compare(0, 5, "gzip:") != 0)
      throw BadValue("no such compression, write none or gzip:4");
    const std::string_view level = trimmed(std::string_view(word).substr(5));
    if (level == "0") throw BadValue("level 0 compresses nothing, write none or gzip:4");
    return static_cast<int>(to_integer(level, key.range));
  });
}

std::optional<OutputScale> to_scale(const std::string& text) {
  if (text == "none") return std::nullopt;
  if (text == "auto") return OutputScale{.is_of_input = true};
  const char* const remedy = "write none, auto, or two numbers SCALE OFFSET such as 0.01 273.15";
  std::vector<double> numbers;
  try {
    numbers = to_reals(text, {}, 2);
  } catch (const BadValue&) {
    throw BadValue(remedy);
  }
  if (numbers.size() != 2) throw BadValue(remedy);
  if (!(numbers[0] > 0)) throw BadValue("SCALE is the step between two numbers, write one above 0");
  return OutputScale{.scale = numbers[0], .offset = numbers[1]};
}

bool is_integer(const std::optional<ElementType>& type) {
  return type && !is_floating(*type);
}

Config::Output read_output(const SectionReader& reader, const Config::Input& input) {
  Config::Output output;
  output.file = reader.text("file");
  if (reader.given("dataset"))
    output.dataset = reader.text("dataset");
  else if (!storage::is_dataset_pattern(input.dataset))
    output.dataset = input.dataset;
  output.dtype = reader.meaning<std::optional<ElementType>>("dtype");
  output.scale =
      reader.read("scale", [](const std::string& word, const Key&) { return to_scale(word); });
  if (output.scale && !is_integer(output.dtype))
    reader.refuse("scale",
                  fmt::format("packs integers, and dtype = {}: write dtype = int16, too, or "
                              "scale = none",
                              word_of(output.dtype)));
  output.chunk = reader.extents("chunk", most_dataset_axes);
  output.gzip_level = read_compression(reader);
  output.overwrite = reader.flag("overwrite");
  output.copy = reader.meaning<Copy>("copy");
  output.verify = reader.meaning<Verification>("verify");
  output.snapshot_every = reader.integer("snapshot_every");
  const std::filesystem::path from(input.file), to(output.file);
  if (from.lexically_normal() == to.lexically_normal())
    reader.refuse("file", "is the input file too, name another one");
  return output;
}

/// Parses one missing value: nan, or a finite number.
ElementValue to_missing(std::string_view word) {
  if (word == "nan" || word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  try {
    to_real(word, {});  // throws for text that is not a finite number
    return parse_element_value(std::string(word));
  } catch (const BadValue&) {
    throw BadValue("write auto, none or attribute, or one or more of nan and finite numbers");
  }
}

Config::Missing read_missing(const SectionReader& reader) {
  Config::Missing missing;
  missing.value = reader.read("value", [](const std::string& word, const Key&) -> MissingValue {
    if (word == "auto") return Automatic{};
    if (word == "none") return std::monostate{};
    if (word == "attribute") return FromAttributes{};
    std::vector<ElementValue> values;
    for (const std::string_view one : split_list(word)) values.push_back(to_missing(one));
    return values;
  });
  missing.policy = reader.meaning<MissingPolicy>("policy");
  missing.min_valid = reader.real("min_valid");
  missing.fill_value = reader.real("fill_value");
  missing.edges = reader.meaning<BeyondEdges>("edges");
  missing.keep = reader.flag("keep");
  missing.mask = reader.read("mask", [](const std::string& word, const Key&) {
    const MaskLocation at = read_location(word);
    return at ? word : std::string();
  });
  missing.joint = reader.flag("joint");
  if (missing.joint && missing.policy != MissingPolicy::renormalize)
    reader.refuse("joint", fmt::format("means nothing for policy = {}, it belongs to renormalize",
                                       word_of(missing.policy)));
  const bool has_none = is_none(missing.value) && missing.mask.empty();
  if (missing.keep && has_none)
    reader.refuse("keep", "value = none, so no point is missing: write value = auto or a number");
  const bool is_nothing = has_none && missing.edges == BeyondEdges::boundary;
  if (missing.policy != MissingPolicy::propagate && is_nothing)
    reader.refuse("policy",
                  "value = none, so nothing is missing: write value = auto, nan or a number");
  if (reader.given("min_valid") && missing.policy != MissingPolicy::renormalize)
    reader.refuse("min_valid",
                  fmt::format("means nothing for policy = {}, it belongs to renormalize",
                              word_of(missing.policy)));
  if (reader.given("fill_value") && missing.policy != MissingPolicy::fill)
    reader.refuse("fill_value", fmt::format("means nothing for policy = {}, it belongs to fill",
                                            word_of(missing.policy)));
  return missing;
}

/// Parses a time step such as `0.1 s` or `0.1s`.
TimeStep to_time_step(const std::string& text, const Key& key) {
  const std::string_view number = std::string_view(text).substr(0, number_end(text));
  const std::string_view unit = trimmed(std::string_view(text).substr(number.size()));
  if (number.empty() || unit.empty()) throw BadValue("write a number and its unit, such as 0.1 s");
  return {to_real(number, key.range), std::string(unit)};
}

/// Parses an interval such as `1000 steps`, or a time.
CheckpointInterval to_interval(std::string_view text) {
  const std::string_view number = text.substr(0, number_end(text));
  const std::string_view unit = trimmed(text.substr(number.size()));
  if (!number.empty() && (unit == "steps" || unit == "step"))
    return {.steps = to_integer(number, Range{.low = 1})};
  if (!number.empty() && unit.empty())
    throw BadValue(fmt::format("not a time: {} has no unit, write for example 10 min or 1000 steps",
                               shortened(text)));
  return {.seconds = to_seconds(text)};
}

void read_checkpoint(const SectionReader& reader, const Config& config, Config::Run& run) {
  run.restart = reader.meaning<Restart>("restart");
  run.checkpoint_every = reader.read(
      "checkpoint_every", [](const std::string& word, const Key&) { return to_interval(word); });
  run.time_limit = reader.read("time_limit",
                               [](const std::string& word, const Key&) -> std::optional<TimeLimit> {
                                 if (word == "none") return std::nullopt;
                                 if (word == "auto") return TimeLimit{.is_of_queue = true};
                                 return TimeLimit{.seconds = to_seconds(word)};
                               });
  if (!reader.given("checkpoint")) {
    for (const std::string_view key : {"checkpoint_every", "time_limit"})
      if (reader.given(key) && (key != "time_limit" || run.time_limit))
        reader.refuse(key, "means nothing without a checkpoint, write checkpoint = FILE.h5, too");
    return;
  }
  run.checkpoint = reader.text("checkpoint");
  if (config.input.gaps == Gaps::split)
    reader.refuse("checkpoint",
                  "belongs to one output, but input.gaps = split writes several: leave one of them "
                  "out");
  const auto is_checkpoint = [&](const std::string& file) {
    return std::filesystem::path(run.checkpoint).lexically_normal() ==
           std::filesystem::path(file).lexically_normal();
  };
  if (is_checkpoint(config.input.file) || is_checkpoint(config.output.file))
    reader.refuse("checkpoint", "is the input or the output file too, name another one");
}

Config::Run read_run(const SectionReader& reader, const Config& config) {
  Config::Run run;
  run.backend = reader.meaning<Backend>("backend");
  run.precision = reader.meaning<PrecisionRequest>("precision");
  run.decomposition = reader.extents("decomposition", most_grid_axes);
  if (reader.text("memory") != "auto")
    run.memory =
        reader.read("memory", [](const std::string& word, const Key&) { return to_bytes(word); });
  run.transport = reader.meaning<TransportRequest>("transport");
  read_checkpoint(reader, config, run);
  if (reader.given("time_step")) run.time_step = reader.read("time_step", to_time_step);
  run.nonfinite = reader.meaning<Nonfinite>("nonfinite");
  if (reader.text("look_every") != "auto")
    run.look_every = reader.integer("look_every");
  else if (config.stages.back().until_change_below)
    run.look_every = 100;
  return run;
}

}  // namespace

Config parse_config(const ConfigWords& words) {
  const CommandLine& line = words.line;
  const IniText ini = read_ini_text(line.file, words.text);
  const Sources sources = find_sources(ini, line);
  const auto reader = [&](std::string_view name) {
    for (const SectionPlace& section : sources.sections)
      if (section.name == name) return SectionReader(sources.words, section.name, section.place);
    throw std::logic_error(fmt::format("no section {} in the key table", name));
  };

  Config config;
  config.input = read_input(reader("input"));
  config.output = read_output(reader("output"), config.input);
  config.missing = read_missing(reader("missing"));
  for (const SectionPlace& stage : sources.stages) {
    const SectionReader section(sources.words, stage.name, stage.place);
    config.stages.push_back(read_stage(section));
    if (config.missing.edges == BeyondEdges::missing && section.given("boundary"))
      section.refuse("boundary",
                     "missing.edges = missing says what lies beyond the edges: leave one of them "
                     "out (boundary = constant with boundary_value = nan is for single axes)");
  }
  for (std::size_t i = 0; i + 1 < config.stages.size(); ++i)
    if (config.stages[i].until_change_below)
      SectionReader(sources.words, sources.stages[i].name, sources.stages[i].place)
          .refuse("until_change_below",
                  "only the last stage may end early: remove it, or make this "
                  "stage the last one of a run of its own");
  config.run = read_run(reader("run"), config);
  config.check = line.check;
  config.json = line.json;
  config.report = line.report;
  config.trace = line.trace;
  config.progress = line.progress;
  config.canonical = canonical_text(config);
  return config;
}

}  // namespace stencil
