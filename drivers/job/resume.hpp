#pragma once

#include "drivers/plan/plan.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Replaces the plan by that of the steps that its checkpoint leaves to do, if there is one and it
/// may be taken. Says on stderr of rank 0 where the run goes on. Collective.
///
/// @param tells  whether notes are printed
/// @throws WordsError    on every rank alike: the checkpoint is of another run
/// @throws StorageError  the same: none of those that are there is sound, or none can be written
void resume(const Communicator& communicator, Plan& plan, bool tells);

}  // namespace stencil
