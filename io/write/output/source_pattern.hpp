#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// The name of a source file or source dataset of a virtual dataset, in the notation of HDF5: `%b`
/// is replaced by the number of a block, and `%%` by a percent sign. Other text is used unchanged.
class SourcePattern {
 public:
  explicit SourcePattern(const std::string& text);

  bool has_number() const { return parts_.size() > 1; }
  /// Returns the name for a block; blocks are numbered from 0.
  std::string name(Index block) const;
  /// Returns the existing files whose names match, by block number. A gap in the numbers does not
  /// end the search, although HDF5 may stop at a gap.
  /// @param folder  folder to which a relative name refers
  std::map<Index, std::string> existing(const std::filesystem::path& folder) const;

 private:
  std::vector<std::string> parts_;  ///< text before, between and after the numbers
};

}  // namespace stencil::storage
