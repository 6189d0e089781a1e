#include "drivers/job/prepare/run_files.hpp"

#include <fmt/core.h>

#include "drivers/config/stage.hpp"
#include "drivers/job/prepare/stretches.hpp"
#include "drivers/plan/make/lines_beside.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/lock/part_file.hpp"
#include "io/write/lock/scratch_file.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/resume/checkpoint_names.hpp"

namespace stencil {
namespace {

std::string said(const char* key, const std::string& name) {
  return fmt::format("{} {}", key, one_line(name));
}

void add_output(const Config& config, RunFiles& files) {
  const std::string& name = config.output.file;
  const std::string words = said("output.file", name);
  for (const char* of : {"", ".part", ".lock"}) files.writes(name + of, words);
  if (config.output.snapshot_every > 0) files.writes(name + ".xdmf", words);
  for (const int number : {0, 1})
    for (const char* of : {"", ".part", ".lock"})
      files.writes(scratch_name(name, number) + of, words);
}

void add_report(const Config& config, RunFiles& files) {
  if (!config.trace.empty()) files.writes(config.trace, said("--trace", config.trace));
  if (config.report.empty()) return;
  const std::string words = said("--report", config.report);
  files.writes(config.report, words);
  if (const std::string lines = lines_beside(config.report); !lines.empty())
    files.writes(lines, words);
}

void add_checkpoint(const Config& config, RunFiles& files) {
  const std::string& name = config.run.checkpoint;
  if (name.empty()) return;
  for (const char* of : storage::checkpoint_endings)
    files.writes(name + of, said("run.checkpoint", name));
}

void add_files_read(const JobInputs& inputs, RunFiles& files) {
  if (!inputs.config_file.empty()) files.reads(inputs.config_file, "the configuration");
  for (const DatasetFacts& stretch : inputs.stretches) {
    files.reads(stretch.file, "which is read (input.file)");
    for (const std::string& source : stretch.sources)
      files.reads(source, "which is read (a source of input.file)");
    for (const DatasetFacts& mask : stretch.validity) {
      files.reads(mask.file, "which is read (missing.mask)");
      for (const std::string& source : mask.sources)
        files.reads(source, "which is read (a source of missing.mask)");
    }
  }
  for (const StageConfig& stage : inputs.config.stages)
    for (const std::string& text : datasets_of(stage)) {
      const std::string role = fmt::format("which is read (a mask of [{}])", stage.name);
      files.reads(mask_location(text).file, role);
      for (const std::string& source : inputs.masks.at(text).sources) files.reads(source, role);
    }
  for (const std::string& source : inputs.sources_beside)
    files.reads(source, "which holds coordinates of input.file");
}

}  // namespace

void RunFiles::writes(const std::string& name, const std::string& said) {
  written_.push_back({name, said, identity_of(name)});
}

void RunFiles::reads(const std::string& name, const std::string& role) {
  read_.push_back({name, role, identity_of(name)});
}

void RunFiles::check() const {
  for (const File& own : written_)
    for (const File& other : read_)
      if (is_same(own.identity, other.identity))
        throw WordsError(fmt::format(
            "{} would overwrite {}{}, {}: choose another name", own.words, one_line(other.name),
            own.name == other.name ? "" : fmt::format(" by the name {}", one_line(own.name)),
            other.words));
  for (auto own = written_.begin(); own != written_.end(); ++own)
    for (auto other = written_.begin(); other != own; ++other)
      if (is_same(own->identity, other->identity))
        throw WordsError(
            fmt::format("{} would overwrite {}, which {} needs as {}: choose another name",
                        own->words, one_line(own->name), other->words, one_line(other->name)));
}

void check_files(const JobInputs& inputs) {
  RunFiles files;
  add_files_read(inputs, files);
  add_checkpoint(inputs.config, files);
  for (std::size_t i = 0; i < inputs.stretches.size(); ++i) {
    const Config config = config_of_stretch(inputs.config, i);
    add_output(config, files);
    add_report(config, files);
  }
  files.check();
  // With a checkpoint, a run may continue an unfinished output even if parts of it are damaged.
  if (!inputs.config.run.checkpoint.empty()) return;
  for (std::size_t i = 0; i < inputs.stretches.size(); ++i)
    storage::require_own_part(
        storage::OutputPaths::of(config_of_stretch(inputs.config, i).output.file));
}

}  // namespace stencil
