#pragma once

#include "drivers/pipeline/chain.hpp"

namespace stencil {

/// A single stage of a chain, on one rank and fewer points, to be timed in a short run. Mask,
/// method, boundary, stride and missing points are those of the stage. Its steps are limited to 16,
/// and its extent is always `same`.
///
/// @param points  maximum number of points of its input; its rows are as long as those of the rank
///                that computes most, or shorter if the input would otherwise have fewer rows than
///                eight times the mask's height; transforms run on whole tiles or pairs of blocks,
///                at least one of them
Chain sample_chain(const Chain& chain, std::size_t stage, Index points);

/// Points of a sample that keep one thread as busy as the whole stage does: those of a tile, or of
/// the pairs of blocks that are transformed at once; 1 without transforms.
Index sample_of_a_thread(const BoundStage& stage);

/// Ratio of work, in outputs (or tiles or pairs of transforms) times steps, between the rank that
/// computes most of the original stage and the sample.
double times_sample(const BoundStage& stage, const BoundStage& sample);

}  // namespace stencil
