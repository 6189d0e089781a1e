#pragma once

#include "drivers/job/job_inputs.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Plans all stretches of the input, then runs one after the other. Collective.
///
/// @param inputs  gathered on rank 0; shared with the other ranks here
/// @throws Error  on every rank alike
void run_inputs(const Communicator& communicator, JobInputs& inputs);

}  // namespace stencil
