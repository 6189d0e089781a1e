#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace stencil::storage {

/// While an object of this class exists, no output of this process replaces the given files. They
/// are the files of an open dataset and of its sources.
class FilesInUse {
 public:
  explicit FilesInUse(const std::vector<std::string>& files);
  ~FilesInUse();
  FilesInUse(const FilesInUse&) = delete;
  FilesInUse& operator=(const FilesInUse&) = delete;

 private:
  /// A file identified by device and inode, so that links and different spellings of its path are
  /// equal.
  struct File {
    std::uint64_t device = 0, inode = 0;
    std::string name;
  };
  friend std::optional<std::string> file_in_use(const std::string& name);

  static std::list<std::vector<File>>& all();
  std::list<std::vector<File>>::iterator entry_;
};

/// Returns the name under which a file is in use; std::nullopt if the file is not in use or does
/// not exist. May be called from any thread.
std::optional<std::string> file_in_use(const std::string& name);

}  // namespace stencil::storage
