#include <fmt/format.h>

#include "drivers/plan.hpp"
#include "kernels/convolve.hpp"

namespace stencil {
namespace {

template <class T>
std::string name_of(const StagePlan& stage) {
  if (stage.channels)
    return fmt::format("cpu channels, {} -> {} of {}x{} taps in {} group{}",
                       stage.channels->channels(), stage.channels->out, stage.channels->height,
                       stage.channels->width, stage.channels->groups,
                       stage.channels->groups == 1 ? "" : "s");
  return kernel_name(make_stencil<T>(stage.choice.mask, stage.choice.method, stage.stride,
                                     stage.min_valid, stage.choice.blocks));
}

}  // namespace

std::string kernel_of(const StagePlan& stage, ElementType compute_type) {
  return compute_type == ElementType::float64 ? name_of<double>(stage) : name_of<float>(stage);
}

}  // namespace stencil
