#pragma once

#include "drivers/job/listener.hpp"
#include "drivers/plan/plan.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// Replaces the plan by that of the steps that its checkpoint leaves to do, if there is one and it
/// may be taken. Collective.
///
/// @param listener  is told where the run goes on, and why not
/// @throws WordsError    on every rank alike: the checkpoint is of another run
/// @throws StorageError  the same: none of those that are there is sound, or none can be written
void resume(const Communicator& communicator, Plan& plan, Listener& listener);

}  // namespace stencil
