#include "drivers/pipeline/kernel_of.hpp"

#include <fmt/core.h>

#include "kernels/bind/bind_bank.hpp"
#include "kernels/bind/bind_stencil.hpp"
#include "kernels/bind/channel_transforms.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {
namespace {

template <class T>
std::string name_of(const Chain& chain, const BoundStage& stage) {
  if (stage.channels && stage.choice.method != Method::fft)
    return fmt::format("{} channels, {} -> {} of {}x{} taps in {} group{}",
                       to_string(chain.backend), stage.channels->channels(), stage.channels->out,
                       stage.channels->height, stage.channels->width, stage.channels->groups,
                       stage.channels->groups == 1 ? "" : "s");
  if (chain.backend == Backend::cuda && stage.steps_per_sweep > 1)
    return fmt::format("cuda steps {}x{}", stage.choice.mask.taps.height,
                       stage.choice.mask.taps.width);
  const std::string name = kernel_name_on(
      chain.backend,
      make_stencil<T>(stage.choice.mask, stage.choice.method, stage.stride, stage.min_valid,
                      stage.choice.blocks, stage.choice.tiles, FftTables::left_out));
  if (stage.channels) return channel_transform_name(name, *stage.channels);
  if (stage.rows && stage.rows->has_masks()) return name + ", a mask for each latitude";
  if (stage.bank.empty()) return name;
  if (stage.is_mixed())
    return fmt::format("{}, and others: filters one after the other, {}", name, stage.methods());
  const bool shares =
      chain.backend != Backend::cuda && shares_transforms(stage.bank, stage.min_valid.has_value());
  return fmt::format("{}, {} filters{}", name, stage.filters(),
                     shares ? " of one transform" : " one after the other");
}

}  // namespace

std::string kernel_of(const Chain& chain, std::size_t stage) {
  const BoundStage& one = chain.stages[stage];
  return chain.precision == Precision::float64 ? name_of<double>(chain, one)
                                               : name_of<float>(chain, one);
}

}  // namespace stencil
