#include "drivers/job/stretches.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// `folder/out_3.h5`
std::string numbered(const std::string& name, std::size_t index) {
  const std::filesystem::path path(name);
  const std::string file =
      fmt::format("{}_{}{}", path.stem().string(), index, path.extension().string());
  return (path.parent_path() / file).string();
}

}  // namespace

Config config_of_stretch(const Config& config, std::size_t index) {
  Config own = config;
  if (config.input.gaps != Gaps::split) return own;
  own.output.file = numbered(config.output.file, index);
  if (!config.report.empty()) own.report = numbered(config.report, index);
  return own;
}

Plan plan_of_stretch(const Config& config, const JobInputs& inputs, std::size_t index, int ranks,
                     Backend backend) {
  const DatasetFacts& stretch = inputs.stretches[index];
  try {
    Plan plan = make_plan(config, stretch, inputs.masks, ranks, backend);
    if (plan.checkpoint)
      plan.checkpoint->words +=
          fmt::format("content of the input={:016x}\n", inputs.contents.at(index));
    return plan;
  } catch (const WordsError& error) {
    if (inputs.stretches.size() == 1) throw;
    throw WordsError(fmt::format("{} (stretch {} of {}: {})", error.what(), index + 1,
                                 inputs.stretches.size(), name_of(stretch)));
  }
}

void add_files_read(const JobInputs& inputs, Plan& plan) {
  std::vector<std::string>& files = plan.output.also_read;
  if (!inputs.config_file.empty()) files.push_back(inputs.config_file);
  if (inputs.stretches.size() == 1) return;  // the plan's own
  for (const DatasetFacts& stretch : inputs.stretches) {
    files.push_back(stretch.file);
    files.insert(files.end(), stretch.sources.begin(), stretch.sources.end());
  }
}

}  // namespace stencil
