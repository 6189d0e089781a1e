#pragma once

#include <string>
#include <vector>

#include "drivers/plan/make/stage_mask.hpp"
#include "drivers/plan/problem.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// Returns the positions of the outputs in the whole input (without selection), one sampling per
/// axis, composed over all stages. Stages, forms and input of the problem must be set.
std::vector<AxisSampling> sampling_of_input(const Problem& problem);

/// Returns the output's file, shape, type, chunks, missing value, axes copied from the input, and
/// provenance. All other members of the problem must be set.
/// @param masks  of the stages of `config`
/// @throws WordsError  a chunk has a wrong number of axes, or output.scale is not possible
OutputSpec output_spec(const Config& config, const std::vector<StageMask>& masks,
                       const Problem& problem);

/// Returns notes on properties of the data that may surprise the user: missing-value markers that
/// are treated as data, packed values. The problem's output must be set.
std::vector<std::string> notes_on(const Config& config, const Problem& problem);

}  // namespace stencil
