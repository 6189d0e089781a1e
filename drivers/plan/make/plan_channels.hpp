#pragma once

#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Checks that a chain and its dataset fit masks of four axes. Does nothing without such masks. The
/// channel axis is the third axis from the end. Each stage may change the number of channels for
/// the next stage.
///
/// @throws WordsError  the number of channels differs between dataset and mask, a 1D mask runs
///                     along images or channels, several steps change the number of channels, or
///                     policy = renormalize or method = separable is set
void check_channels(const Config& config, const std::vector<StageMask>& masks,
                    const std::vector<Index>& dims);

/// Returns the dataset axis of the channels; std::nullopt if no stage mixes channels.
std::optional<std::size_t> channel_axis(const Problem& problem);

/// Returns the normal form of a chain's output.
/// @param active  dataset axes along which masks run
/// @param shape   the shape of the output, [images * channels, y, x]
NormalForm mixed_form(const NormalForm& input, const std::vector<int>& active, std::size_t channels,
                      const Point& shape);

}  // namespace stencil
