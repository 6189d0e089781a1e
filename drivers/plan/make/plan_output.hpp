#pragma once

#include "drivers/plan/problem.hpp"
#include "io/write/output_spec.hpp"

namespace stencil {

/// The points of the whole input, including points that its selection leaves out, at which the
/// outputs are, per axis, through all stages. Stages, forms and input of the problem must be set.
std::vector<AxisSampling> sampling_of_input(const Problem& problem);

/// The output's file, shape, type, chunks, missing value, axes taken over from the input, and
/// provenance; the rest of the plan must be set.
/// @throws WordsError  a chunk with another number of axes, an output.scale that is not possible
OutputSpec output_spec(const Config& config, const Problem& problem);

/// Notes on data that the user may not expect: missing-value markers that are treated as data,
/// packed values. The plan's output must be set.
std::vector<std::string> notes_on(const Config& config, const Problem& problem);

}  // namespace stencil
