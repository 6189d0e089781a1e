#include "io/write/scratch_file.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
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

void remove_scratch_files(const std::string& output) {
  for (const int number : {0, 1})
    for (const char* of : {"", ".part", ".lock"})
      ::unlink((scratch_name(output, number) + of).c_str());
}

ScratchFile::ScratchFile(const Communicator& communicator, const std::string& name)
    : communicator_(communicator), name_(name), cleanup_([name] {
        ::unlink(name.c_str());
        return false;  // the output's own cleanup says who speaks
      }) {
  communicator.agree([&] {
    if (communicator.rank() > 0) return;
    int error = 0;
    do {
      error = ::unlink(name.c_str()) == 0 ? 0 : errno;
    } while (error == EINTR);
    if (error != 0 && error != ENOENT)
      throw StorageError(fmt::format("cannot remove {}: {}", one_line(name), std::strerror(error)));
  });
}

ScratchFile::~ScratchFile() {
  // a second try, as storage that fails once must not leave a file behind
  if (communicator_.rank() == 0 && ::unlink(name_.c_str()) != 0) ::unlink(name_.c_str());
}

}  // namespace stencil
