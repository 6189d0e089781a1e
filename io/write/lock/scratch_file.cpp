#include "io/write/lock/scratch_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/hdf5/file_access.hpp"
#include "io/write/lock/left_files.hpp"
#include "io/write/lock/nameplate.hpp"
#include "io/write/lock/own_mark.hpp"
#include "io/write/output_paths.hpp"

namespace stencil {

std::string scratch_name(const std::string& output, int number) {
  const auto paths = storage::OutputPaths::of(output);
  const std::string whole = paths.final, name = paths.final_name();
  return fmt::format("{}.{}.stencil-scratch{}", whole.substr(0, whole.size() - name.size()), name,
                     number);
}

void require_not_scratch(const std::string& output, const std::string& input) {
  for (const int number : {0, 1}) {
    std::error_code ignored;
    if (!std::filesystem::equivalent(scratch_name(output, number), input, ignored)) continue;
    throw WordsError(fmt::format("{} is a scratch file of {}, and would be removed: rename it",
                                 one_line(input), one_line(output)));
  }
}

void remove_scratch_files(const std::string& output, const storage::FilesMade& made) {
  for (const int number : {0, 1}) {
    const std::string name = scratch_name(output, number);
    storage::FilesMade all = made;
    storage::add_files_of_lock(AT_FDCWD, name + ".lock", all);
    // a finished file is recognised by its content, because its lock was removed
    if (storage::own_mark(AT_FDCWD, name) == storage::OwnMark::finished) ::unlink(name.c_str());
    for (const char* of : {"", ".part"}) storage::remove_left_output(AT_FDCWD, name + of, all);
  }
  for (const int number : {0, 1})
    storage::remove_left_lock(AT_FDCWD, scratch_name(output, number) + ".lock");
}

void refuse_scratch(const std::string& name) {
  throw StorageError(fmt::format(
      "{} exists and has the name of a scratch file of this run: remove it", one_line(name)));
}

ScratchFile::ScratchFile(const Communicator& communicator, const std::string& name)
    : communicator_(communicator), name_(name), cleanup_([name] {
        ::unlink(name.c_str());
        // this rank need not print: the cleanup of the output decides which rank does
        return false;
      }) {
  communicator.agree([&] {
    if (communicator.rank() > 0) return;
    struct stat state {};
    if (::lstat(name.c_str(), &state) == 0) refuse_scratch(name);
  });
}

ScratchFile::~ScratchFile() {
  // if the first attempt to remove the file fails, a second one is made, because a single storage
  // failure must not leave a file
  if (communicator_.rank() == 0 && ::unlink(name_.c_str()) != 0) ::unlink(name_.c_str());
}

}  // namespace stencil
