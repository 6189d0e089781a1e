#pragma once

#include "drivers/plan/plan.hpp"

namespace stencil {

/// Checks what masks of four axes ask of a chain and its dataset; does nothing without one.
/// Channels are the last but two of the axes, and every stage before changes their number as its
/// mask says.
///
/// @throws WordsError  another number of channels than the mask sees, a 1D mask across images or
///                     channels, several steps that change the channels, renormalize, separable
void check_channels(const Config& config, const std::vector<StageMask>& masks,
                    const std::vector<Index>& dims);

/// Dataset axis of the channels; nothing where no stage mixes them.
std::optional<std::size_t> channel_axis(const Plan& plan);

/// Normal form of a chain's output.
/// @param active  dataset axes that masks run along
/// @param shape   of the output as `[images * channels, y, x]`
NormalForm mixed_form(const NormalForm& input, const std::vector<int>& active, std::size_t channels,
                      const Point& shape);

}  // namespace stencil
