#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "drivers/pipeline/bound_stage.hpp"
#include "kernels/bound_stencil.hpp"

namespace stencil {

/// Number of stages that are computed in one pass.
inline constexpr std::size_t lines_of_pass = 3;

/// Returns a stage that computes three stages of a chain in one pass over the points on a CPU. The
/// results have the same bits as those of three passes. The mask of each of the three stages must
/// have one axis: batch, y and x, in this order. The returned stage has the inputs of the first
/// stage, with ghost points along all axes.
///
/// @param first  index of the first of the three stages
/// @returns  std::nullopt if the stages from `first` on are not three such stages, if separate
///           passes would be faster (masks of many taps, or few points along y or x), or if one
///           pass would give other bits (strides, several outputs for one input, missing points
///           that are left out, or a constant other than 0 beyond an edge)
std::optional<BoundStage> fuse_lines(const std::vector<BoundStage>& stages, std::size_t first);

/// Returns the temporary memory in bytes that the kernel of a fused stage needs for all threads.
/// @param fused    a result of fuse_lines()
/// @param element  bytes of the compute type
Index lines_scratch_bytes(const BoundStage& fused, Index element);

/// Returns the kernel of the stage that fuse_lines() returns for these arguments.
/// @param first  see fuse_lines()
template <class T>
std::unique_ptr<BoundStencil<T>> bind_lines(const std::vector<BoundStage>& stages,
                                            std::size_t first);

}  // namespace stencil
