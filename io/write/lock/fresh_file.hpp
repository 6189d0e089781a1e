#pragma once

#include <sys/types.h>

#include <atomic>
#include <optional>
#include <string>

#include "framework/parallel/abort.hpp"
#include "io/hdf5/file_access.hpp"

namespace stencil {

/// A temporary file that replaces another file when the temporary file is complete. The temporary
/// file is always newly created: an existing file or link of its name is neither opened nor
/// removed. If the temporary file has not replaced the other file, it is removed by the destructor,
/// or by the cleanup when the job ends early.
class FreshFile {
 public:
  /// Creates the file, open for writing.
  /// @param of  the file that the temporary file will replace, for messages
  /// @throws StorageError  names `of`; for example because a file of the name exists
  FreshFile(const std::string& name, const std::string& of);
  ~FreshFile();
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;

  const std::string& name() const { return name_; }
  int number() const { return file_.number(); }
  /// Closes the file and renames it to `to`. @returns 0 or an errno
  int take_place(const std::string& to);
  /// Renames the file, which stays open: its descriptor is passed to the caller. @returns 0 or an
  /// errno
  int take_place(const std::string& to, storage::Descriptor& open_file);

 private:
  bool remove() const;

  std::string name_;
  storage::Descriptor file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::atomic<bool> is_placed_{false};
  std::optional<AbortCleanup> cleanup_;
};

/// Returns an unused name in the folder of `file`: a hidden name with 16 random digits.
std::string fresh_name_beside(const std::string& file);
/// Returns whether a name without folders is of the form that fresh_name_beside() makes.
bool is_fresh_name(const std::string& name);

}  // namespace stencil
