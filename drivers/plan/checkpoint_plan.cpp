#include "drivers/plan/checkpoint_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "drivers/config/stage.hpp"
#include "drivers/plan/passes.hpp"
#include "drivers/plan/plan_costs.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/write/blocks/readback.hpp"

namespace stencil {
namespace {

/// Words of the canonical text that decide no number of a state.
bool is_left_out(std::string_view line) {
  constexpr std::array<std::string_view, 3> names{"input.file=", "output.", "run.precision="};
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return line.starts_with(name); });
}

/// A word that names a dataset of a mask says so only: the mask counts by its values, see
/// mask_sum().
std::string without_file(const std::string& line, const Config& config) {
  const std::size_t at = line.find('=');
  for (const StageConfig& stage : config.stages)
    for (const std::string& text : datasets_of(stage))
      if (line.starts_with(stage.name + ".") && line.substr(at + 1) == text)
        return line.substr(0, at + 1) + "a dataset";
  return line;
}

void add(std::vector<std::uint64_t>& sums, const std::vector<double>& values) {
  sums.push_back(storage::checksum_of(values.data(), values.size() * sizeof(double)));
}

/// A number that stands for the taps, and for how they are summed.
std::uint64_t mask_sum(const BoundStage& stage) {
  const MethodChoice& choice = stage.choice;
  std::vector<std::uint64_t> sums;
  for (const Index number :
       {choice.mask.taps.height, choice.mask.taps.width, choice.mask.centre[0],
        choice.mask.centre[1], choice.blocks.points, choice.tiles.y.points, choice.tiles.x.points})
    sums.push_back(static_cast<std::uint64_t>(number));
  // without one a checkpoint of a program that knew none still counts
  if (choice.tiles.x.lead > 0) sums.push_back(static_cast<std::uint64_t>(choice.tiles.x.lead));
  add(sums, choice.mask.taps.values);
  if (choice.mask.factors) {
    add(sums, choice.mask.factors->column);
    add(sums, choice.mask.factors->row);
  }
  if (stage.channels) add(sums, stage.channels->values);
  for (const MethodChoice& one : stage.bank) add(sums, one.mask.taps.values);
  return storage::checksum_of(sums.data(), sums.size() * sizeof(sums[0]));
}

std::string file_words(const std::string& name, Index bytes, Index modified) {
  return fmt::format("bytes of {}={}\nlast change of {} (ns since 1970)={}\n", name, bytes, name,
                     modified);
}

/// By name, in the order of the text.
std::map<std::string, std::string> values_of(const std::string& words) {
  std::map<std::string, std::string> values;
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find('=');
    if (at != line.npos) values[line.substr(0, at)] = line.substr(at + 1);
  }
  return values;
}

}  // namespace

std::string run_words(const Config& config, const Problem& problem) {
  std::string words = fmt::format("version of the program={}\n", STENCIL_VERSION);
  std::istringstream lines(config.canonical);
  for (std::string line; std::getline(lines, line);)
    if (!is_left_out(line)) words += without_file(line, config) + "\n";
  words += fmt::format("type computed in={}\n", to_string(problem.compute_type()));
  words += fmt::format("shape of the input={} {}\n", fmt::join(problem.input.dims, "x"),
                       to_string(problem.input.type));
  words += file_words("the input", problem.input.file_bytes, problem.input.modified);
  for (std::size_t i = 0; i < problem.input.source_bytes.size(); ++i)
    words += file_words(fmt::format("source {} of the input", i), problem.input.source_bytes[i],
                        problem.input.source_modified[i]);
  for (const DatasetFacts& mask : problem.input.validity)
    words += file_words("missing.mask", mask.file_bytes, mask.modified);
  for (const BoundStage& stage : problem.chain.stages) {
    words += fmt::format("method of [{}]={}\n", stage.name, stage.methods());
    words += fmt::format("mask of [{}]={:016x}\n", stage.name, mask_sum(stage));
  }
  return words;
}

std::string words_of_snapshots(const Config& config, const std::string& run) {
  std::string words = run;
  std::istringstream lines(config.canonical);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("output.")) words += line + "\n";
  return words;
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
  for (const auto& [name, value] : here)
    if (const auto other = there.find(name); other == there.end())
      found.push_back(fmt::format("{} is {} here, and not there", name, shortened(value)));
    else if (other->second != value)
      found.push_back(
          fmt::format("{} was {} and is {}", name, shortened(other->second), shortened(value)));
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

OutputSpec checkpoint_of(const Problem& rest, const std::string& file,
                         const CheckpointRecord& record) {
  OutputSpec spec = checkpoint_spec(file, rest.chain.input_shape(), rest.compute_type(), record);
  spec.verify = rest.output.verify;
  return spec;
}

Problem remaining(const Problem& whole, const Checkpoint& from) {
  Problem rest = pass_of(whole, from.record.steps_done, whole.chain.steps());
  rest.input = from.points;
  rest.watching = whole.watching;  // which passes have none
  count_costs(rest);
  return rest;
}

}  // namespace stencil
