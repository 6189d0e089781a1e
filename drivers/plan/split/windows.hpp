#pragma once

#include <limits>
#include <optional>

#include "drivers/plan/way.hpp"

namespace stencil {

/// Limits on the memory and threads of windows.
struct WindowLimits {
  Index available = 0;    ///< bytes of host memory per rank
  bool is_asked = false;  ///< all of `available` may be used; otherwise only a quarter of it if a
                          ///< quarter suffices, so that the files stay in the page cache
  /// Whether the user gave a decomposition; windows are then used only if needed.
  bool wants_blocks = false;
  int threads = 1;  ///< number of threads of a rank
  /// GPU memory: bytes for this rank, and whether the whole world fits into them.
  Index device = std::numeric_limits<Index>::max();
  bool fits_device = true;
  /// Whether OpenMP binds threads to processors. Teams of several windows would then all use the
  /// first processors, so windows that are processed at the same time have one thread each.
  bool binds_threads = false;
};

/// Returns the windows of a problem that does not fit into memory, or that is computed faster in
/// windows because its world is large and each sweep would read and write the whole world. Returns
/// std::nullopt if computing at once is better or necessary. Windows are not possible for more than
/// 64 sweeps in total, or for more than four sweeps if only some stages are periodic along the axis
/// that is cut.
std::optional<Windows> choose_windows(const Problem& problem, const WindowLimits& limits);

/// Returns windows that fit into memory, even if the whole world fits, too.
std::optional<Windows> choose_needed_windows(const Problem& problem, const WindowLimits& limits);

/// Returns the least memory with which the problem can be computed in windows; the largest possible
/// number if windows are not possible.
Index least_memory_of_windows(const Problem& problem);

}  // namespace stencil
