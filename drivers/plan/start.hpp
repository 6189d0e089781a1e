#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "io/write/output/unfinished_output.hpp"
#include "io/write/resume/checkpoint_file.hpp"

namespace stencil {

/// The run starts with the points of its input.
struct Fresh {};

/// The run continues from a checkpoint. The problem has the remaining steps, and its input is the
/// checkpoint.
struct Resumed {
  std::string file;      ///< the checkpoint
  Index steps_done = 0;  ///< summed over all stages
  InputCounts input{};
  /// The record of the snapshots that the unfinished output already contains; null if the run takes
  /// no snapshots.
  std::shared_ptr<const UnfinishedOutput> snapshots{};
  std::optional<LinesSaved> lines{};  ///< step lines that were written before the checkpoint
};

/// The run continues in the unfinished output of an earlier run in windows.
struct Unfinished {
  std::shared_ptr<const UnfinishedOutput> output;  ///< not null
};

/// The state from which a run starts.
using Start = std::variant<Fresh, Resumed, Unfinished>;

}  // namespace stencil
