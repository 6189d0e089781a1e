#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/write/lock/fresh_file.hpp"
#include "io/write/lock/output_lock.hpp"
#include "io/write/output_paths.hpp"
#include "io/write/output_spec.hpp"

namespace stencil::storage {

/// The file NAME.xdmf beside an output with snapshots; other programs need this file to display the
/// snapshots. The functions that return a text return the reason of a failure, or an empty text
/// after success.
class Companion {
 public:
  /// Writes the file under a temporary name, if the output needs such a file.
  /// @param times  times of the snapshots
  /// @param lock   records the temporary name, so that a later run can remove the file
  std::string make(const OutputSpec& spec, const OutputPaths& paths,
                   const std::vector<double>& times, OutputLock& lock);

  /// Renames the file to its final name, if make() has made the file.
  std::string publish(const OutputPaths& paths);

 private:
  std::optional<FreshFile> file_;
};

/// Removes the companion of an earlier output of this name, which would display other points.
/// @param folder  descriptor of the folder of the output
void remove_companion(int folder, const OutputPaths& paths);

}  // namespace stencil::storage
