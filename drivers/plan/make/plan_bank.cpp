#include "drivers/plan/make/plan_bank.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "drivers/plan/make/refuse.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

std::string bank_words(const StageConfig& stage) {
  return fmt::format("mask = {} is a bank of filters", shortened(stage.mask.text));
}

/// @param bank  the stage that has the bank
void check_stage(const StageConfig& stage, const StageMask& mask, const StageConfig& bank,
                 const NormalForm& form) {
  if (!mask.bank.empty() && stage.name != bank.name)
    refuse(stage, fmt::format("{}, and [{}] has one already: an output has one axis of filters; "
                              "make a run of each",
                              bank_words(stage), bank.name));
  if (mask.channels || mask.imaginary)
    refuse(
        stage,
        fmt::format(
            "mask = {} mixes channels or complex parts, and [{}] has a bank of filters: make a run "
            "of each",
            shortened(stage.mask.text), bank.name));
  if (stage.steps > 1)
    refuse(stage,
           fmt::format("steps = {}: [{}] has a bank of filters, whose chain takes each stage "
                       "once: write steps = 1, or make two runs of it",
                       stage.steps, bank.name));
  for (const int axis : mask.dataset_axes)
    if (form.normal_axis(axis) == batch_axis)
      refuse(stage, fmt::format("axis {}: [{}] has a bank of filters, and the masks of its chain "
                                "may run along at most two neighbouring axes: make two runs of it",
                                axis, bank.name));
}

}  // namespace

void check_bank(const Config& config, const std::vector<StageMask>& masks, const NormalForm& form) {
  const auto bank = std::find_if(masks.begin(), masks.end(),
                                 [](const StageMask& mask) { return !mask.bank.empty(); });
  if (bank == masks.end()) return;
  const StageConfig& with_bank = config.stages[static_cast<std::size_t>(bank - masks.begin())];
  for (std::size_t i = 0; i < masks.size(); ++i)
    check_stage(config.stages[i], masks[i], with_bank, form);
  if (config.output.snapshot_every > 0)
    refuse(with_bank,
           fmt::format("{}, which has no steps: output.snapshot_every = {} means nothing, "
                       "write 0",
                       bank_words(with_bank), config.output.snapshot_every));
}

}  // namespace stencil
