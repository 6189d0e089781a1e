#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/bound_stencil.hpp"
#include "kernels/method/method.hpp"

namespace stencil {

/// Returns whether the CPU transforms inputs once for all masks of a bank. This requires 1D masks
/// along x, all with Method::fft, and no renormalization. If the result is true, the first mask
/// needs all tables, and FftTables::spectrum is sufficient for the other masks.
bool shares_transforms(const std::vector<MethodChoice>& bank, bool renormalizes);

/// Binds a bank of filters to the kernels of an executor. `run` queues the sums of all filters. All
/// filters read the same view of inputs. Its extent is determined by the filter that reads the most
/// inputs (a filter with Method::fft, if there is one). The target is `[nb * filters, ny, nx]`;
/// batch b of filter k is batch `b * filters + k` of the target. The results of each filter have
/// the same bits as in a separate run of that filter.
///
/// @param filters  filters with the same height, width and stride; filters with Method::fft have
///                 the same blocks
/// @throws Error  the errors of bind_stencil
template <class T>
std::unique_ptr<BoundStencil<T>> bind_bank(Executor& executor, std::vector<Stencil<T>> filters);

}  // namespace stencil
