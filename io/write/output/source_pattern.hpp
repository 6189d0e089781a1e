#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "framework/grid/shape.hpp"

namespace stencil::storage {

/// The name of a source of a virtual dataset, of a file or of a dataset, as HDF5 understands it:
/// `%b` is replaced by the number of a block, and `%%` by a percent sign. Any other text is used
/// unchanged.
class SourcePattern {
 public:
  explicit SourcePattern(const std::string& text);

  bool has_number() const { return parts_.size() > 1; }
  /// The name of a block, counted from 0.
  std::string name(Index block) const;
  /// The existing files whose names match, by their number. A gap in the numbers does not end the
  /// search, although it may end that of HDF5.
  /// @param folder  to which a relative name refers
  std::map<Index, std::string> existing(const std::filesystem::path& folder) const;

 private:
  std::vector<std::string> parts_;  ///< between the numbers
};

}  // namespace stencil::storage
