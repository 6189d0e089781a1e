#pragma once

#include "drivers/job/report/listener.hpp"
#include "drivers/plan/problem.hpp"
#include "drivers/plan/start.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// The problem that a run has to compute, and the state from which it starts.
struct Begun {
  Problem problem;
  Start start;
};

/// Returns the problem with the steps that remain after the problem's checkpoint, if a usable
/// checkpoint exists. Otherwise returns the whole problem, which starts from the input. Collective.
///
/// @param listener  receives a message that gives the step at which the run continues, or the
///                  reason why it cannot continue
/// @throws WordsError    on all ranks: the checkpoint belongs to another run
/// @throws StorageError  on all ranks: all existing checkpoints are damaged, or checkpoints cannot
///                       be written
Begun resume(const Communicator& communicator, const Problem& problem, Listener& listener);

}  // namespace stencil
