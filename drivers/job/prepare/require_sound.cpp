#include "drivers/job/prepare/require_sound.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "drivers/config/canonical.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/read/dataset_list.hpp"

namespace stencil {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw WordsError("wrong configuration: " + what);
}

void require_at_least(Index least, Index value, const std::string& key) {
  if (value < least) refuse(fmt::format("{} = {}, it must be at least {}", key, value, least));
}

void require_named(const std::string& value, const char* key) {
  if (value.empty()) refuse(fmt::format("{} is empty: name a file", key));
}

bool is_same(const std::string& one, const std::string& other) {
  return std::filesystem::path(one).lexically_normal() ==
         std::filesystem::path(other).lexically_normal();
}

void require_sound_stage(const StageConfig& stage, bool is_last) {
  const std::string& name = stage.name;
  if (name != "stencil" && !name.starts_with("stencil."))
    refuse(
        fmt::format("a stage has the name `{}`: write stencil, or stencil.NAME", one_line(name)));
  if (stage.mask.text.empty()) refuse(name + ".mask is empty: make it with read_mask()");
  if (stage.boundary.empty()) refuse(name + ".boundary is empty: write one rule, or one per axis");
  require_at_least(1, stage.steps, name + ".steps");
  require_at_least(1, stage.groups, name + ".groups");
  for (const Index stride : stage.stride) require_at_least(1, stride, name + ".stride");
  if (stage.until_change_below && !is_last)
    refuse(name + ".until_change_below is set: only the last stage may end early");
}

void require_sound_run(const Config& config) {
  const Config::Run& run = config.run;
  require_at_least(0, run.memory, "run.memory");
  require_at_least(1, run.look_every, "run.look_every");
  require_at_least(0, run.checkpoint_every.steps, "run.checkpoint_every");
  if (run.checkpoint.empty()) {
    if (run.time_limit) refuse("run.time_limit is set: it needs run.checkpoint");
    return;
  }
  if (config.input.gaps == Gaps::split)
    refuse(
        "run.checkpoint is set: a checkpoint is of one output, and input.gaps = split writes "
        "several");
  if (is_same(run.checkpoint, config.input.file) || is_same(run.checkpoint, config.output.file))
    refuse(fmt::format("run.checkpoint = {} is the input or the output file too: name another one",
                       one_line(run.checkpoint)));
}

}  // namespace

void require_sound(Config& config) {
  require_named(config.input.file, "input.file");
  require_named(config.output.file, "output.file");
  if (is_same(config.input.file, config.output.file))
    refuse(fmt::format("output.file = {} is the input file too: name another one",
                       one_line(config.output.file)));
  if (const int level = config.output.gzip_level; level < 0 || level > 9)
    refuse(fmt::format("output.gzip_level = {}, it must be 0 to 9", level));
  require_at_least(0, config.output.snapshot_every, "output.snapshot_every");
  if (!(config.missing.min_valid >= 0 && config.missing.min_valid <= 1))
    refuse(fmt::format("missing.min_valid = {}, it must be 0 to 1", config.missing.min_valid));
  if (config.stages.empty()) refuse("it has no stage: add a StageConfig to stages");
  for (const StageConfig& stage : config.stages)
    require_sound_stage(stage, &stage == &config.stages.back());
  require_sound_run(config);
  if (config.output.dataset.empty() && !storage::is_dataset_pattern(config.input.dataset))
    config.output.dataset = config.input.dataset;
  config.canonical = canonical_text(config);
}

}  // namespace stencil
