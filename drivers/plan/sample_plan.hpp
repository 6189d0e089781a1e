#pragma once

#include "drivers/plan/plan.hpp"

namespace stencil {

/// One stage of a plan alone, on one rank and on fewer points: what a short run can time. Mask,
/// method, boundary, stride and missing points are those of the stage; it has fewer steps where
/// there are more than 16, and `same` outputs, whatever its extent.
///
/// @param points  most points of its input; its rows are as long as those of the rank that computes
///                most, or, where that leaves no room for eight times the mask's height, shorter
Plan sample_plan(const Plan& plan, std::size_t stage, Index points);

/// How many times the work of a sample, in outputs and steps, the rank has that computes most of
/// the stage it was made from.
double times_sample(const StagePlan& stage, const StagePlan& sample);

}  // namespace stencil
