#include "drivers/plan/make/checkpoint_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <sstream>

#include "drivers/config/canonical.hpp"
#include "drivers/config/stage.hpp"
#include "framework/grid/one_line.hpp"
#include "include/stencil/version.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil {
namespace {

/// Returns whether a setting determines the points of a state. Names of files, and settings that
/// only determine how the output is stored, do not determine the points. The key run.precision is
/// not needed either, because the compute type is stored instead.
bool decides_numbers(const Setting& setting) {
  const bool names_input = setting.section == "input" && setting.key == "file";
  const bool names_precision = setting.section == "run" && setting.key == "precision";
  return !names_input && !names_precision && setting.section != "output";
}

/// Returns whether a setting names a dataset of a stage, such as its mask. The identity contains a
/// checksum of the taps instead, see mask_sum().
bool names_dataset(const Setting& setting, const Config& config) {
  for (const StageConfig& stage : config.stages)
    if (stage.name == setting.section)
      for (const std::string& name : datasets_of(stage))
        if (setting.value == name) return true;
  return false;
}

void add(std::vector<std::uint64_t>& sums, const std::vector<double>& values) {
  sums.push_back(storage::checksum_of(values.data(), values.size() * sizeof(double)));
}

/// Returns a checksum of the taps and of the method that sums them.
std::uint64_t mask_sum(const BoundStage& stage) {
  const MethodChoice& choice = stage.choice;
  std::vector<std::uint64_t> sums;
  for (const Index number :
       {choice.mask.taps.height, choice.mask.taps.width, choice.mask.centre[0],
        choice.mask.centre[1], choice.blocks.points, choice.tiles.y.points, choice.tiles.x.points})
    sums.push_back(static_cast<std::uint64_t>(number));
  // omitted if 0, so checkpoints of versions without this number remain valid
  if (choice.tiles.x.lead > 0) sums.push_back(static_cast<std::uint64_t>(choice.tiles.x.lead));
  if (choice.mask.rank == 3)
    for (const Index number : {choice.mask.taps.depth, choice.mask.centre_plane})
      sums.push_back(static_cast<std::uint64_t>(number));
  add(sums, choice.mask.taps.values);
  if (choice.mask.factors) {
    add(sums, choice.mask.factors->column);
    add(sums, choice.mask.factors->row);
    if (choice.mask.rank == 3) add(sums, choice.mask.factors->plane);
  }
  if (stage.channels) add(sums, stage.channels->values);
  for (const MethodChoice& one : stage.bank) add(sums, one.mask.taps.values);
  if (stage.rows) {
    add(sums, stage.rows->factors);
    if (stage.rows->has_masks())
      for (const Mask& mask : *stage.rows->masks) add(sums, mask.taps.values);
  }
  return storage::checksum_of(sums.data(), sums.size() * sizeof(sums[0]));
}

/// A list of named facts. A checkpoint stores them as text, one `name=value` per line.
class Facts {
 public:
  template <class T>
  void add(const std::string& name, const T& value) {
    text_ += fmt::format("{}={}\n", name, value);
  }
  void add(const Setting& setting, const std::string& value) {
    add(setting.section + "." + setting.key, value);
  }
  void add_file(const std::string& name, Index bytes, Index modified) {
    add("bytes of " + name, bytes);
    add(fmt::format("last change of {} (ns since 1970)", name), modified);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Returns the values in a text of lines `name=value`, by name.
std::map<std::string, std::string> values_of(const std::string& words) {
  std::map<std::string, std::string> values;
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find('=');
    if (at != line.npos) values[line.substr(0, at)] = line.substr(at + 1);
  }
  return values;
}

constexpr std::string_view method_chosen = "method of [";

/// Returns whether a fact is the `method` key of a stage for which both runs use the same method.
bool says_method_of_same(const std::string& name, const std::map<std::string, std::string>& there,
                         const std::map<std::string, std::string>& here) {
  constexpr std::string_view key = ".method";
  if (!name.ends_with(key)) return false;
  const std::string chosen =
      fmt::format("{}{}]", method_chosen, name.substr(0, name.size() - key.size()));
  const auto earlier = there.find(chosen), now = here.find(chosen);
  return earlier != there.end() && now != here.end() && earlier->second == now->second;
}

/// Returns advice on how to use the method of an earlier run, which may have used another backend;
/// empty for other facts, and for banks whose filters use different methods.
std::string how_to_keep(const std::string& name, const std::string& earlier) {
  if (!name.starts_with(method_chosen) || earlier.find(',') != earlier.npos) return "";
  const std::string section =
      name.substr(method_chosen.size(), name.size() - method_chosen.size() - 1);
  return fmt::format(" ({}.method = {} keeps it)", section,
                     earlier.substr(earlier.rfind(' ') + 1));  // `sum of 2 separable`
}

}  // namespace

std::string run_words(const Config& config, const Problem& problem) {
  Facts facts;
  facts.add("version of the program", STENCIL_VERSION);
  for (const Setting& setting : canonical_settings(config))
    if (decides_numbers(setting))
      facts.add(setting, names_dataset(setting, config) ? "a dataset" : setting.value);
  const DatasetFacts& input = problem.input;
  facts.add("type computed in", to_string(problem.compute_type()));
  facts.add("shape of the input", fmt::format("{} {}", fmt::join(input.dims, "x"),
                                              type_name(input.type, input.is_complex())));
  facts.add_file("the input", input.file_bytes, input.modified);
  for (std::size_t i = 0; i < input.source_bytes.size(); ++i)
    facts.add_file(fmt::format("source {} of the input", i), input.source_bytes[i],
                   input.source_modified[i]);
  for (const DatasetFacts& mask : input.validity)
    facts.add_file("missing.mask", mask.file_bytes, mask.modified);
  for (const BoundStage& stage : problem.chain.stages) {
    facts.add(fmt::format("method of [{}]", stage.name), stage.methods());
    facts.add(fmt::format("mask of [{}]", stage.name), fmt::format("{:016x}", mask_sum(stage)));
  }
  return facts.text();
}

std::string words_of_snapshots(const Config& config, const std::string& run) {
  Facts facts;
  for (const Setting& setting : canonical_settings(config))
    if (setting.section == "output") facts.add(setting, setting.value);
  return run + facts.text();
}

std::string words_of_output(const Problem& problem) {
  std::string words = problem.checkpoint->words;
  for (const auto& [name, text] : problem.output.provenance)
    words += name == "stencil_configuration" ? text : fmt::format("{}={}\n", name, text);
  return words;
}

std::string difference(const std::string& checkpoint, const std::string& run) {
  constexpr std::size_t most = 3;
  const auto there = values_of(checkpoint), here = values_of(run);
  std::vector<std::string> found;
  for (const auto& [name, value] : here) {
    const auto other = there.find(name);
    if (other == there.end())
      found.push_back(fmt::format("{} is {} here, and not there", name, shortened(value)));
    else if (other->second != value && !says_method_of_same(name, there, here))
      found.push_back(fmt::format("{} was {} and is {}{}", name, shortened(other->second),
                                  shortened(value), how_to_keep(name, other->second)));
  }
  for (const auto& [name, value] : there)
    if (!here.contains(name))
      found.push_back(fmt::format("{} was {}", shortened(name), shortened(value)));
  if (found.size() <= most) return fmt::format("{}", fmt::join(found, ", "));
  const std::size_t more = found.size() - most;
  found.resize(most);
  return fmt::format("{} and {} more", fmt::join(found, ", "), more);
}

std::optional<CheckpointPlan> plan_checkpoint(const Config& config, const Problem& problem) {
  const Config::Run& run = config.run;
  if (run.checkpoint.empty()) return std::nullopt;
  return CheckpointPlan{run.checkpoint, run.checkpoint_every, run.restart, run.time_limit,
                        run_words(config, problem)};
}

}  // namespace stencil
