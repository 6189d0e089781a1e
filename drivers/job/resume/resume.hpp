#pragma once

#include "drivers/job/report/listener.hpp"
#include "drivers/plan/problem.hpp"
#include "drivers/plan/start.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// The problem that a run has to compute, and the state from which it begins.
struct Begun {
  Problem problem;
  Start start;
};

/// The problem with the steps that remain after the problem's checkpoint, if there is a checkpoint
/// that may be used; otherwise the problem itself, which starts from the beginning. Collective.
///
/// @param listener  receives a message that says where the run continues, or why it cannot
/// @throws WordsError    on all ranks: the checkpoint belongs to another run
/// @throws StorageError  on all ranks: all existing checkpoints are damaged, or no checkpoint can
///                       be written
Begun resume(const Communicator& communicator, const Problem& problem, Listener& listener);

}  // namespace stencil
