#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "drivers/plan/problem.hpp"

namespace stencil {

/// The whole world is in memory at once.
struct AtOnce {};

/// The world is processed in windows: each rank computes its share of the outputs in intervals
/// along one axis; along the other axes a window has the full extent.
struct Windows {
  int axis = batch_axis;
  Index outputs = 0;  ///< of a window along the axis; the last window of a rank may have fewer
  /// The outputs at which the shares of ranks end: multiples of this number, at ends of whole
  /// blocks of the file, and of windows unless these are thinner. 0: anywhere; windows are then
  /// written one after the other, with messages between ranks.
  Index unit = 0;
  Index group = 1;         ///< outputs that stay together: the channels of an image
  int at_a_time = 1;       ///< windows of a rank, each read, computed and written by its own thread
  int threads = 1;         ///< that compute one window
  Index bytes = 0;         ///< of host memory per rank
  Index device_bytes = 0;  ///< of GPU memory per rank
  bool is_needed = true;   ///< the world does not fit into memory at once
  Index kept_chunk_bytes = 0;  ///< unpacked chunks of the input that are kept between windows
  double read_twice = 0;       ///< bytes that several windows read, over those of the input
};

/// Some of the steps of a problem, from file to file. If other passes do the steps before or after
/// them, it reads or writes a scratch file, whose facts and name are set during the run.
struct Pass : Problem {
  std::size_t first_stage = 0;  ///< of the chain, in that of the whole problem
  Windows windows;
};

/// One pass after the other over the files, each in windows: for more steps than one can take.
using Passes = std::vector<Pass>;

/// How a problem is computed on a machine. Outputs do not depend on it.
using RunWay = std::variant<AtOnce, Windows, Passes>;

/// Peak bytes of host memory on the rank that needs most.
Index memory_per_rank(const Problem& problem, const RunWay& way);

}  // namespace stencil
