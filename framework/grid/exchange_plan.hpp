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

/// The steps of one rank that make all its ghosts valid, one axis after the other. Each axis
/// includes the ghosts of the axes before it, which fills edges and corners without a diagonal
/// message. Axes that need no other rank come first, so that their ghosts are part of later
/// messages. Pure arithmetic.
///
/// @param rank  the rank of any block; a rank without points has no phases
std::vector<ExchangePhase> exchange_plan(int rank, const Decomposition& decomposition,
                                         const Halo& halo, const Boundary& boundary);

}  // namespace stencil
