#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace stencil::storage {

/// While an object of this class exists, no output of this process replaces its files, because a
/// dataset is open in them or in their sources.
class FilesInUse {
 public:
  explicit FilesInUse(const std::vector<std::string>& files);
  ~FilesInUse();
  FilesInUse(const FilesInUse&) = delete;
  FilesInUse& operator=(const FilesInUse&) = delete;

 private:
  /// A file, by device and inode: links and other spellings of its path lead to the same one.
  struct File {
    std::uint64_t device = 0, inode = 0;
    std::string name;
  };
  friend std::optional<std::string> file_in_use(const std::string& name);

  static std::list<std::vector<File>>& all();
  std::list<std::vector<File>>::iterator entry_;
};

/// The name by which a file is in use; nothing if it is not in use, or there is no such file.
/// May be called from any thread.
std::optional<std::string> file_in_use(const std::string& name);

}  // namespace stencil::storage
