#pragma once

#include <vector>

#include "framework/grid/ghost_plan.hpp"

namespace stencil {

/// A rectangle of ghosts and the points that fill it, here or on another rank.
struct GhostPart {
  Box ghosts;    ///< global, where the values go
  Box points;    ///< global, where they come from; as many, or one along the axis for step 0
  int step = 1;  ///< along the axis
  Index at = 0;  ///< elements from the start of the message
};

/// Everything that goes to one other rank, or comes from it, along one axis.
struct GhostMessage {
  int peer = 0;
  std::vector<GhostPart> parts;
  Index elements = 0;
};

/// What one axis needs.
struct ExchangePhase {
  int axis = 0;
  std::vector<GhostPart> local;  ///< filled by the rank's own points
  std::vector<Box> constant;     ///< filled by the boundary value
  std::vector<GhostMessage> sends, receives;

  bool is_remote() const { return !sends.empty() || !receives.empty(); }
};

/// What one rank does to make all its ghosts valid, axis after axis, each over the full width of
/// those before it: that fills edges and corners without a diagonal message. Axes without other
/// ranks go first: their ghosts then travel with the messages of the others. Pure arithmetic.
///
/// @param rank  of any block; one without points has no phases
std::vector<ExchangePhase> exchange_plan(int rank, const Decomposition& decomposition,
                                         const Halo& halo, const Boundary& boundary);

}  // namespace stencil
