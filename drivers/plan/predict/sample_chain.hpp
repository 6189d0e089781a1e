#pragma once

#include "drivers/pipeline/chain.hpp"
#include "drivers/pipeline/fused_lines.hpp"

namespace stencil {

/// Returns a chain with a single stage of `chain`, on one rank and with fewer points, for timing in
/// a short run. Mask, method, boundary, stride and missing points are those of the stage. The
/// number of steps is at most 16, and the extent is always `same`.
///
/// @param points  maximum number of points of the sample's input. Its rows are as long as those of
///                the rank that computes the most, or shorter if the input would otherwise have
///                fewer rows than eight times the mask's height. Transforms run on whole tiles or
///                pairs of blocks, at least one
Chain sample_chain(const Chain& chain, std::size_t stage, Index points);

/// Like sample_chain(), for three stages that WindowPipeline computes in one pass.
/// @param lines  the result of fuse_lines(chain.stages, first)
Chain sample_lines(const Chain& chain, std::size_t first, const BoundStage& lines, Index points);

/// Returns the number of points that a sample needs to keep one thread as busy as the whole stage
/// does: the points of a tile, or of the pairs of blocks that are transformed together; 1 without
/// transforms.
Index sample_of_a_thread(const BoundStage& stage);

/// Returns the ratio of the work of the original stage, on the rank that computes the most, to the
/// work of the sample. Work is the number of outputs (or tiles, or pairs of transforms) times
/// steps.
double times_sample(const BoundStage& stage, const BoundStage& sample);

}  // namespace stencil
