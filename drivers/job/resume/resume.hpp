#pragma once

#include "drivers/job/report/listener.hpp"
#include "drivers/plan/problem.hpp"
#include "drivers/plan/start.hpp"
#include "framework/parallel/communicator.hpp"

namespace stencil {

/// What a run has to compute, and where it begins.
struct Begun {
  Problem problem;
  Start start;
};

/// The problem with the steps that remain after the problem's checkpoint, if there is a checkpoint
/// that may be used; otherwise the problem itself, which starts from the beginning. Collective.
///
/// @param listener  receives a message that says where the run continues, or why it cannot
/// @throws WordsError    on every rank alike: the checkpoint is of another run
/// @throws StorageError  on every rank alike: no existing checkpoint is sound, or none can
///                       be written
Begun resume(const Communicator& communicator, const Problem& problem, Listener& listener);

}  // namespace stencil
