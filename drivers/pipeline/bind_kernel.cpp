#include "drivers/pipeline/bind_kernel.hpp"

#include "kernels/bind_channels.hpp"
#include "kernels/bind_stencil.hpp"

namespace stencil {

template <class T>
std::unique_ptr<BoundStencil<T>> bind_kernel(Executor& executor, const BoundStage& stage,
                                             std::optional<cuda::Strategy> rung) {
  if (stage.channels)
    return bind_channels<T>(executor, make_channel_stencil<T>(*stage.channels, stage.stride), rung);
  return bind_stencil<T>(executor,
                         make_stencil<T>(stage.choice.mask, stage.choice.method, stage.stride,
                                         stage.min_valid, stage.choice.blocks, stage.choice.tiles),
                         rung);
}

template std::unique_ptr<BoundStencil<float>> bind_kernel(Executor&, const BoundStage&,
                                                          std::optional<cuda::Strategy>);
template std::unique_ptr<BoundStencil<double>> bind_kernel(Executor&, const BoundStage&,
                                                           std::optional<cuda::Strategy>);

}  // namespace stencil
