#include "io/write/resume/checkpoint_names.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/lock/lock_owner.hpp"
#include "io/write/lock/own_mark.hpp"
#include "io/write/output/unfinished_output.hpp"

namespace stencil::storage {
namespace {

[[noreturn]] void refuse(const std::string& name, const char* what) {
  throw WordsError(
      fmt::format("{} is not {} of this program, and run.checkpoint would overwrite it: remove it, "
                  "or name another run.checkpoint",
                  one_line(name), what));
}

}  // namespace

void require_short_name(const std::string& file) {
  const std::filesystem::path path(file);
  const LockOwner self = this_process();
  // Number of characters by which the name of a nameplate (see Nameplate) is longer than the name
  // of the checkpoint; a process number has up to 10 digits.
  const Index more = std::ssize(fmt::format(".next.lock.{}.{:08x}.{:10}", self.host, 0, ' '));
  const long limit = ::pathconf(path.parent_path().c_str(), _PC_NAME_MAX);
  const Index most = (limit > 0 ? limit : 255) - more;
  const Index bytes = std::ssize(path.filename().string());
  if (bytes > most)
    throw WordsError(
        fmt::format("run.checkpoint {} has a name of {} bytes: at most {} leave room for the names "
                    "of its temporary files: choose a shorter name",
                    shortened(file), bytes, most));
}

void require_own_checkpoints(const std::string& file) {
  for (const char* of : {"", ".next", ".previous"})
    if (is_foreign_checkpoint(file + of)) refuse(file + of, "a checkpoint");
}

void require_own_checkpoint_files(const std::string& file) {
  require_own_checkpoints(file);
  for (const char* of : {".windows", ".snapshots"})
    if (is_foreign(file + of)) refuse(file + of, "a checkpoint");
  for (const char* of : {".windows.part", ".snapshots.part"})
    if (const auto state = state_of(AT_FDCWD, file + of);
        state && (!S_ISREG(state->st_mode) || is_foreign(file + of)))
      refuse(file + of, "an unfinished checkpoint");
  const std::string part = file + ".next.part";
  if (state_of(AT_FDCWD, part) && !is_left_unfinished(part))
    refuse(part, "an unfinished checkpoint");
}

void remove_left_checkpoint_files(const std::string& file) {
  for (const char* of : {".next.part", ".windows.part", ".snapshots.part"})
    remove_left_file(AT_FDCWD, file + of);
}

}  // namespace stencil::storage
