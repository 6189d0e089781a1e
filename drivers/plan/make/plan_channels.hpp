#pragma once

#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Checks that a chain and its dataset fit its masks of four axes; does nothing if there are none.
/// The channel axis is the third from the end, and each stage may change the number of channels for
/// the next one.
///
/// @throws WordsError  a number of channels that differs from the mask's, a 1D mask along images or
///                     channels, several steps that change the channels, renormalize, separable
void check_channels(const Config& config, const std::vector<StageMask>& masks,
                    const std::vector<Index>& dims);

/// Dataset axis of the channels; nothing if no stage mixes channels.
std::optional<std::size_t> channel_axis(const Problem& problem);

/// Normal form of a chain's output.
/// @param active  dataset axes that masks run along
/// @param shape   the shape of the output as `[images * channels, y, x]`
NormalForm mixed_form(const NormalForm& input, const std::vector<int>& active, std::size_t channels,
                      const Point& shape);

}  // namespace stencil
