#pragma once

#include <vector>

#include "framework/grid/ghost_plan.hpp"

namespace stencil {

/// A rectangle of ghosts and the points that fill it, on this rank or on another one.
struct GhostPart {
  Box ghosts;    ///< destination, in global indices
  Box points;    ///< source, in global indices; same extent as `ghosts`, or one point along the
                 ///< axis if step is 0
  int step = 1;  ///< along the axis of the phase: 1, -1 (reflected) or 0 (one point repeated)
  Index at = 0;  ///< offset in the message, in elements
};

/// All ghosts that one rank sends to one other rank, or receives from it, along one axis.
struct GhostMessage {
  int peer = 0;
  std::vector<GhostPart> parts;
  Index elements = 0;
};

/// The part of a halo exchange that fills the ghosts along one axis.
struct ExchangePhase {
  int axis = 0;
  std::vector<GhostPart> local;  ///< ghosts that are filled from the rank's own points
  std::vector<Box> constant;     ///< ghosts that hold the boundary value
  std::vector<GhostMessage> sends, receives;

  bool is_remote() const { return !sends.empty() || !receives.empty(); }
};

/// Returns the phases in which one rank makes all its ghosts valid, one axis after the other. Each
/// phase also covers the ghosts of earlier axes, so that edges and corners are filled without
/// diagonal messages. Axes that need no other rank come first, so that their ghosts are included in
/// later messages. Pure arithmetic without communication.
///
/// @param rank  any rank; a rank without points has no phases
std::vector<ExchangePhase> exchange_plan(int rank, const Decomposition& decomposition,
                                         const Halo& halo, const Boundary& boundary);

}  // namespace stencil
