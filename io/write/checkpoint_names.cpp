#include "io/write/checkpoint_names.hpp"

#include <fcntl.h>
#include <fmt/core.h>

#include "framework/grid/error.hpp"
#include "framework/grid/one_line.hpp"
#include "io/write/own_mark.hpp"
#include "io/write/unfinished_output.hpp"

namespace stencil::storage {
namespace {

[[noreturn]] void refuse(const std::string& name, const char* what) {
  throw WordsError(
      fmt::format("{} is no {} of this program, and run.checkpoint would overwrite it: remove it, "
                  "or name another run.checkpoint",
                  one_line(name), what));
}

/// Whether a temporary file of a record is none: neither empty, as a kill leaves it, nor begun.
bool is_foreign_part(const std::string& name, bool is_lock_left) {
  const auto state = state_of(AT_FDCWD, name);
  if (!state) return false;
  if (!S_ISREG(state->st_mode)) return true;
  return !is_lock_left && state->st_size > 0 && is_foreign(name);
}

}  // namespace

void require_own_checkpoints(const std::string& file) {
  for (const char* of : {"", ".next", ".previous"})
    if (is_foreign_checkpoint(file + of)) refuse(file + of, "checkpoint");
}

void require_own_checkpoint_files(const std::string& file, bool is_lock_left) {
  require_own_checkpoints(file);
  for (const char* of : {".windows", ".snapshots"})
    if (state_of(AT_FDCWD, file + of) && is_foreign(file + of)) refuse(file + of, "checkpoint");
  for (const char* of : {".windows.part", ".snapshots.part"})
    if (is_foreign_part(file + of, is_lock_left)) refuse(file + of, "unfinished checkpoint");
  const std::string part = file + ".next.part";
  const auto state = state_of(AT_FDCWD, part);
  const bool is_left = is_lock_left && state && S_ISREG(state->st_mode);
  const OwnMark mark = is_left ? OwnMark::unfinished : own_mark(AT_FDCWD, part);
  if (mark == OwnMark::foreign || mark == OwnMark::finished) refuse(part, "unfinished checkpoint");
}

void remove_left_checkpoint_files(const std::string& file) {
  for (const char* of : {".next.part", ".windows.part", ".snapshots.part"})
    remove_left_file(AT_FDCWD, file + of);
}

}  // namespace stencil::storage
