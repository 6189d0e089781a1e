#include "drivers/job/prepare/stretches.hpp"
#include "drivers/plan/make/make_problem.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "framework/grid/error.hpp"

namespace stencil {
namespace {

/// Returns the file name with the index of a stretch: `folder/out_3.h5`.
std::string numbered(const std::string& name, std::size_t index) {
  const std::filesystem::path path(name);
  const std::string file =
      fmt::format("{}_{}{}", path.stem().string(), index, path.extension().string());
  return (path.parent_path() / file).string();
}

/// Returns the files that the job reads in addition to the input and the masks of a stretch.
std::vector<std::string> files_read(const JobInputs& inputs) {
  std::vector<std::string> files;
  if (!inputs.config_file.empty()) files.push_back(inputs.config_file);
  if (inputs.stretches.size() == 1) return files;
  for (const DatasetFacts& stretch : inputs.stretches) {
    files.push_back(stretch.file);
    files.insert(files.end(), stretch.sources.begin(), stretch.sources.end());
  }
  return files;
}

}  // namespace

Config config_of_stretch(const Config& config, std::size_t index) {
  Config own = config;
  if (config.input.gaps != Gaps::split) return own;
  own.output.file = numbered(config.output.file, index);
  if (!config.report.empty()) own.report = numbered(config.report, index);
  if (!config.trace.empty()) own.trace = numbered(config.trace, index);
  return own;
}

Problem problem_of_stretch(const Config& config, const JobInputs& inputs, std::size_t index,
                           int ranks, Backend backend) {
  const DatasetFacts& stretch = inputs.stretches[index];
  JobFacts job{.files_read = files_read(inputs)};
  if (!inputs.contents.empty()) job.input_content = inputs.contents.at(index);
  try {
    return make_problem(config, stretch, inputs.masks, ranks, backend, job);
  } catch (const WordsError& error) {
    if (inputs.stretches.size() == 1) throw;
    throw WordsError(fmt::format("{} (stretch {} of {}: {})", error.what(), index + 1,
                                 inputs.stretches.size(), name_of(stretch)));
  }
}

}  // namespace stencil
