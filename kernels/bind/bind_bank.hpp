#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernels/bound_stencil.hpp"
#include "kernels/cuda/ladder/strategy_name.hpp"
#include "kernels/method/method.hpp"

namespace stencil {

/// Whether the CPU transforms inputs once for all masks of a bank: 1D masks along x, all of them by
/// fft, that leave no missing points out. Then FftTables::spectrum is enough of all but the first.
bool shares_transforms(const std::vector<MethodChoice>& bank, bool renormalizes);

/// Binds a bank of filters to the kernels of an executor. `run` orders the sums of all of them over
/// one view of inputs, those that the filter which reads most needs (Method::fft); the target is
/// `[nb * filters, ny, nx]`, batch b of filter k being batch `b * filters + k`. The bits of each
/// are those of the filter alone.
///
/// @param filters  of one height, width and stride; those by fft cut axes alike
/// @throws Error  as bind_stencil
template <class T>
std::unique_ptr<BoundStencil<T>> bind_bank(Executor& executor, std::vector<Stencil<T>> filters,
                                           std::optional<cuda::Strategy> rung);

}  // namespace stencil
