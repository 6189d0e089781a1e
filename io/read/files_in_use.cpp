#include "io/read/files_in_use.hpp"

#include <sys/stat.h>

#include <mutex>

namespace stencil::storage {
namespace {

std::mutex mutex;

}  // namespace

std::list<std::vector<FilesInUse::File>>& FilesInUse::all() {
  static auto& files = *new std::list<std::vector<File>>;  // never destroyed: datasets may exist
                                                           // until the process ends
  return files;
}

FilesInUse::FilesInUse(const std::vector<std::string>& files) {
  std::vector<File> found;
  struct stat state {};
  for (const std::string& name : files)
    if (::stat(name.c_str(), &state) == 0) found.push_back({state.st_dev, state.st_ino, name});
  const std::lock_guard lock(mutex);
  entry_ = all().insert(all().end(), std::move(found));
}

FilesInUse::~FilesInUse() {
  const std::lock_guard lock(mutex);
  all().erase(entry_);
}

std::optional<std::string> file_in_use(const std::string& name) {
  struct stat state {};
  if (::stat(name.c_str(), &state) != 0) return std::nullopt;
  const std::lock_guard lock(mutex);
  for (const auto& files : FilesInUse::all())
    for (const FilesInUse::File& file : files)
      if (file.device == state.st_dev && file.inode == state.st_ino) return file.name;
  return std::nullopt;
}

}  // namespace stencil::storage
