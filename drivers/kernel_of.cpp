#include "drivers/plan.hpp"
#include "kernels/convolve.hpp"

namespace stencil {
namespace {

template <class T>
std::string name_of(const StagePlan& stage) {
  return kernel_name(make_stencil<T>(stage.choice.mask, stage.choice.method, stage.stride,
                                     stage.min_valid, stage.choice.blocks));
}

}  // namespace

std::string kernel_of(const StagePlan& stage, ElementType compute_type) {
  return compute_type == ElementType::float64 ? name_of<double>(stage) : name_of<float>(stage);
}

}  // namespace stencil
