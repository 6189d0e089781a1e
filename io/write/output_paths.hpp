#pragma once

#include <string>

namespace stencil::storage {

/// The files of one output.
struct OutputPaths {
  std::string final;  ///< path of the finished file, symbolic links resolved
  std::string part;   ///< the file under construction
  std::string lock;
  std::string folder;

  /// Names of the files within the folder.
  std::string final_name() const { return final.substr(final.rfind('/') + 1); }
  std::string part_name() const { return final_name() + ".part"; }
  std::string lock_name() const { return final_name() + ".lock"; }

  static OutputPaths of(const std::string& file);
};

}  // namespace stencil::storage
