#pragma once

#include <cstddef>

#include "drivers/config/config.hpp"
#include "drivers/job/prepare/job_inputs.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// Returns the configuration for one stretch of the input. With input.gaps = split the names of the
/// output and the report contain the index of the stretch, even if there is only one stretch:
/// `out.h5` becomes `out_0.h5`. Otherwise returns the configuration of the whole input.
///
/// @param index  from 0, in chronological order
Config config_of_stretch(const Config& config, std::size_t index);

/// Calls make_problem() for one stretch. If there are several stretches, messages name the stretch.
/// The problem forbids outputs that would replace the configuration or a file of any stretch. Its
/// checkpoints are valid only for the present content of the input, see content_of().
Problem problem_of_stretch(const Config& config, const JobInputs& inputs, std::size_t index,
                           int ranks, Backend backend);

}  // namespace stencil
