#pragma once

#include <cstddef>

#include "drivers/config/config.hpp"
#include "drivers/job/prepare/job_inputs.hpp"
#include "drivers/plan/problem.hpp"

namespace stencil {

/// The configuration for one stretch of the input. For input.gaps = split the names of its output
/// and report contain the number of the stretch, even if there is only one: `out.h5` becomes
/// `out_0.h5`. Otherwise it is the configuration of the whole input.
///
/// @param index  from 0, in the order of time
Config config_of_stretch(const Config& config, std::size_t index);

/// make_problem() for one stretch; messages name the stretch if there are several. No output may
/// replace the configuration or a file of any stretch. A checkpoint also belongs to the content of
/// the input, see content_of().
Problem problem_of_stretch(const Config& config, const JobInputs& inputs, std::size_t index,
                           int ranks, Backend backend);

}  // namespace stencil
