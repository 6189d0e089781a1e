#include "drivers/pipeline/bind_kernel.hpp"

#include <utility>
#include <vector>

#include "drivers/pipeline/fitted_edges.hpp"
#include "drivers/pipeline/row_factors.hpp"
#include "drivers/pipeline/row_masks.hpp"
#include "kernels/bind/bind_bank.hpp"
#include "kernels/bind/bind_channels.hpp"
#include "kernels/bind/bind_stencil.hpp"
#include "kernels/bind/channel_transforms.hpp"

namespace stencil {

template <class T>
std::unique_ptr<BoundStencil<T>> bind_kernel(Executor& executor, const BoundStage& stage) {
  if (stage.channels && stage.choice.method == Method::fft)
    return bind_channel_transforms<T>(executor, *stage.channels, stage.choice, stage.stride);
  if (stage.channels)
    return bind_channels<T>(executor, make_channel_stencil<T>(*stage.channels, stage.stride));
  const auto stencil_of = [&](const MethodChoice& choice, FftTables tables) {
    auto stencil = make_stencil<T>(choice.mask, choice.method, stage.stride, stage.min_valid,
                                   choice.blocks, choice.tiles, tables);
    if (choice.mask.rank == 3) stencil.plane_stride = stage.sampling[batch_axis].stride;
    return stencil;
  };
  if (stage.bank.empty()) {
    const bool varies = stage.rows && stage.rows->has_masks();
    auto bound = varies ? bind_row_masks<T>(executor, stage)
                        : bind_stencil<T>(executor, stencil_of(stage.choice, FftTables::made));
    if (stage.edge_fit) bound = with_fitted_edges<T>(std::move(bound), stage);
    const bool scales = stage.rows && !stage.rows->factors.empty();
    return scales ? with_row_factors<T>(std::move(bound), stage) : std::move(bound);
  }
  std::vector<Stencil<T>> filters;
  const bool shares =
      executor.is_host() && shares_transforms(stage.bank, stage.min_valid.has_value());
  for (const MethodChoice& choice : stage.bank)
    filters.push_back(
        stencil_of(choice, shares && !filters.empty() ? FftTables::spectrum : FftTables::made));
  return bind_bank<T>(executor, std::move(filters));
}

template std::unique_ptr<BoundStencil<float>> bind_kernel(Executor&, const BoundStage&);
template std::unique_ptr<BoundStencil<double>> bind_kernel(Executor&, const BoundStage&);

}  // namespace stencil
