#include "drivers/plan/make/plan_channels.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "drivers/config/kind_words.hpp"
#include "drivers/plan/make/refuse.hpp"
#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"

namespace stencil {
namespace {

void check_stage(const StageConfig& stage, const ChannelMask& mask, Index channels,
                 const std::vector<Index>& dims) {
  const std::string written = fmt::format("mask = {} of {}x{}x{}x{}", shortened(stage.mask.text),
                                          mask.out, mask.in, mask.height, mask.width);
  if (mask.channels() != channels)
    refuse(stage, fmt::format("{} and groups = {} take {} channels, but there are {} (third of the "
                              "last axes of {}): write another mask, or groups = {}",
                              written, mask.groups, mask.channels(), channels, fmt::join(dims, "x"),
                              std::max<Index>(1, channels / mask.in)));
  if (stage.steps > 1 && mask.out != channels)
    refuse(stage, fmt::format("steps = {}: several steps keep the shape, but {} makes {} channels "
                              "of {}: write steps = 1",
                              stage.steps, written, mask.out, channels));
  if (stage.method == MethodRequest::separable)
    refuse(stage, fmt::format("method = separable: {} is not split into factors: write auto, "
                              "direct or fft",
                              written));
}

}  // namespace

void check_channels(const Config& config, const std::vector<StageMask>& masks,
                    const std::vector<Index>& dims) {
  const auto mixes = [](const StageMask& mask) { return mask.channels.has_value(); };
  if (std::none_of(masks.begin(), masks.end(), mixes)) return;
  const int rank = static_cast<int>(dims.size());
  Index channels = dims[dims.size() - 3];
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const StageConfig& stage = config.stages[i];
    for (const int axis : masks[i].dataset_axes)
      if (axis < rank - 2)
        refuse(stage, fmt::format("axis {}: in a chain with a mask of 4 axes, other masks run "
                                  "along the last two axes: write -1 or -2, or make two runs of it",
                                  axis));
    if (!masks[i].channels) continue;
    check_stage(stage, *masks[i].channels, channels, dims);
    if (config.missing.policy == MissingPolicy::renormalize)
      refuse(stage,
             "missing.policy = renormalize is not there for masks of 4 axes: write propagate "
             "or fill");
    channels = masks[i].channels->out;
  }
}

std::optional<std::size_t> channel_axis(const Problem& problem) {
  const bool is_complex = problem.output_form.dims().size() > problem.input.dims.size();
  const bool mixes =
      !is_complex &&
      std::any_of(problem.chain.stages.begin(), problem.chain.stages.end(),
                  [](const BoundStage& stage) { return stage.channels.has_value(); });
  return mixes ? std::optional(problem.input.dims.size() - 3) : std::nullopt;
}

NormalForm mixed_form(const NormalForm& input, const std::vector<int>& active, std::size_t channels,
                      const Point& shape) {
  std::vector<Index> dims = input.dims();
  Index images = 1;
  for (std::size_t axis = 0; axis < channels; ++axis) images *= dims[axis];
  dims[channels] = shape[batch_axis] / images;
  dims[channels + 1] = shape[y_axis];
  dims[channels + 2] = shape[x_axis];
  return {dims, active};
}

}  // namespace stencil
