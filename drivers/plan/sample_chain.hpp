#pragma once

#include "drivers/pipeline/chain.hpp"

namespace stencil {

/// One stage of a chain alone, on one rank and on fewer points: what a short run can time. Mask,
/// method, boundary, stride and missing points are those of the stage; it has fewer steps where
/// there are more than 16, and `same` outputs, whatever its extent.
///
/// @param points  most points of its input; its rows are as long as those of the rank that computes
///                most, or, where that leaves no room for eight times the mask's height, shorter
Chain sample_chain(const Chain& chain, std::size_t stage, Index points);

/// How many times the work of a sample, in outputs and steps, the rank has that computes most of
/// the stage it was made from.
double times_sample(const BoundStage& stage, const BoundStage& sample);

}  // namespace stencil
