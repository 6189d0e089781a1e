#include "drivers/plan/kernel_of.hpp"

#include <fmt/core.h>

#include "io/hdf5/element_type.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {
namespace {

template <class T>
std::string name_of(const Plan& plan, const StagePlan& stage) {
  if (stage.channels)
    return fmt::format("{} channels, {} -> {} of {}x{} taps in {} group{}", plan.backend,
                       stage.channels->channels(), stage.channels->out, stage.channels->height,
                       stage.channels->width, stage.channels->groups,
                       stage.channels->groups == 1 ? "" : "s");
  if (plan.backend == "cuda" && stage.steps_per_sweep > 1)
    return fmt::format("cuda steps {}x{}", stage.choice.mask.taps.height,
                       stage.choice.mask.taps.width);
  return kernel_name_on(plan.backend,
                        make_stencil<T>(stage.choice.mask, stage.choice.method, stage.stride,
                                        stage.min_valid, stage.choice.blocks),
                        plan.kernel);
}

}  // namespace

std::string kernel_of(const Plan& plan, std::size_t stage) {
  const StagePlan& one = plan.stages[stage];
  return plan.compute_type == ElementType::float64 ? name_of<double>(plan, one)
                                                   : name_of<float>(plan, one);
}

}  // namespace stencil
