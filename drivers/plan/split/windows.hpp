#pragma once

#include <limits>
#include <optional>

#include "drivers/plan/way.hpp"

namespace stencil {

/// What windows may take.
struct WindowLimits {
  Index available = 0;    ///< bytes of host memory per rank
  bool is_asked = false;  ///< the user gave that number, and all of it may be used; else a quarter
                          ///< if that suffices, so that the files stay in the page cache
  bool wants_blocks = false;  ///< the user asked for a decomposition: windows only if needed
  int threads = 1;            ///< of a rank
  /// GPU memory: bytes that this rank may take, and whether the world at once fits into them.
  Index device = std::numeric_limits<Index>::max();
  bool fits_device = true;
  /// Whether OpenMP binds threads to processors. The teams of several windows would then all use
  /// the first processors, so windows at the same time have one thread each.
  bool binds_threads = false;
};

/// The windows of a plan that does not fit into memory as a whole, or that is faster in windows (a
/// large world that each sweep reads and writes once). Nothing if computing at once is better or
/// necessary: windows are not possible for more than 64 sweeps in total, or for more than four in a
/// chain of which only some stages are periodic along the axis that is cut.
std::optional<Windows> choose_windows(const Problem& problem, const WindowLimits& limits);

/// The windows in which a plan fits into memory, whether or not it also fits at once.
std::optional<Windows> choose_needed_windows(const Problem& problem, const WindowLimits& limits);

/// The least memory with which the plan can be computed in windows; the largest possible number if
/// it cannot.
Index least_memory_of_windows(const Problem& problem);

}  // namespace stencil
