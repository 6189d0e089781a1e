#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "drivers/plan/problem.hpp"

namespace stencil {

/// The whole world is in memory at once.
struct AtOnce {};

/// The world is processed in windows. Each rank computes its share of the outputs in intervals
/// along one axis; along the other axes a window has the full extent.
struct Windows {
  int axis = batch_axis;
  /// Outputs of a window along the axis; the last window of a rank may have fewer.
  Index outputs = 0;
  /// The share of each rank ends at a multiple of this number of outputs, so that every block of
  /// the file lies in one share. Windows end at such multiples too, unless a window is smaller than
  /// a block. If 0, shares may end inside a block; windows are then written one after the other,
  /// and parts of shared blocks are sent to the rank that writes the block.
  Index unit = 0;
  Index group = 1;             ///< number of outputs that stay together: the channels of an image
  int at_a_time = 1;           ///< windows that a rank processes simultaneously, one per thread
  int threads = 1;             ///< number of threads that compute one window
  Index bytes = 0;             ///< bytes of host memory per rank
  Index device_bytes = 0;      ///< bytes of GPU memory per rank
  bool is_needed = true;       ///< true if the world does not fit into memory
  Index kept_chunk_bytes = 0;  ///< unpacked chunks of the input that are kept between windows
  double read_twice = 0;  ///< ratio of the bytes that are read more than once to the input's bytes
};

/// Some of the steps of a problem, from file to file. Every pass except the first reads a scratch
/// file, and every pass except the last writes a scratch file. The names and facts of scratch files
/// are set during the run.
struct Pass : Problem {
  std::size_t first_stage = 0;  ///< index of its first stage in the whole problem
  Windows windows;
};

/// A sequence of passes over the files, each in windows, for more steps than one pass can compute.
using Passes = std::vector<Pass>;

/// The way in which a problem is computed on a machine. The outputs are the same for every way.
using RunWay = std::variant<AtOnce, Windows, Passes>;

/// Returns the peak bytes of host memory on the rank that needs the most.
Index memory_per_rank(const Problem& problem, const RunWay& way);

}  // namespace stencil
