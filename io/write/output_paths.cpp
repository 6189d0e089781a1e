#include "io/write/output_paths.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "framework/grid/error.hpp"
#include "io/hdf5/element_type.hpp"
#include "io/hdf5/hdf5_error.hpp"
#include "io/hdf5/native_type.hpp"
#include "io/hdf5/object_path.hpp"
#include "io/hdf5/pieces.hpp"
#include "io/hdf5/system_error.hpp"
#include "io/read/files_in_use.hpp"
#include "io/read/same_files.hpp"
#include "io/write/file_identity.hpp"
#include "io/write/own_mark.hpp"

namespace stencil::storage {
namespace {

namespace fs = std::filesystem;

constexpr Index most_output_chunks = Index{1} << 27;  // records are sent with 32-bit MPI counts

void check_is_safe(const OutputSpec& spec, const OutputPaths& paths, const std::string& other,
                   const char* role) {
  if (other.empty()) return;
  const FileIdentity of_other = identity_of(other);
  for (const std::string& name : {paths.final, paths.part, paths.lock, paths.final + ".xdmf"})
    if (is_same(identity_of(name), of_other))
      throw WordsError(fmt::format("output.file {} would overwrite {} {}: choose another name",
                                   one_line(spec.file), one_line(other), role));
}

void check_others_are_safe(const OutputSpec& spec, const OutputPaths& paths) {
  check_is_safe(spec, paths, spec.input.file, "which is read (input.file)");
  for (const std::string& source : spec.input.sources)
    check_is_safe(spec, paths, source, "which is read (a source of input.file)");
  for (const std::string& file : spec.also_read)
    check_is_safe(spec, paths, file, "which the run uses too");
}

void check_chunk(const OutputSpec& spec) {
  if (spec.gzip_level < 0 || spec.gzip_level > 9)
    throw WordsError(fmt::format("output.compression gzip:{} is not there: use gzip:1 to gzip:9",
                                 spec.gzip_level));
  if (spec.chunk.empty()) {
    if (spec.gzip_level > 0)
      throw WordsError("output.compression needs output.chunk: name a chunk, for example 256x1024");
    return;
  }
  if (spec.chunk.size() != spec.form.dims().size())
    throw WordsError(fmt::format("output.chunk {} has {} axes but the output has {} ({})",
                                 fmt::join(spec.chunk, "x"), spec.chunk.size(),
                                 spec.form.dims().size(), fmt::join(spec.form.dims(), "x")));
  Index bytes = static_cast<Index>(size_of(spec.type));
  for (const Index extent : spec.chunk) {
    if (extent < 1)
      throw WordsError(fmt::format("output.chunk {} has an axis below 1: use positive numbers",
                                   fmt::join(spec.chunk, "x")));
    bytes = checked_multiply(bytes, extent);
  }
  Index chunks = 1;
  for (std::size_t axis = 0; axis < spec.chunk.size(); ++axis)
    chunks = checked_multiply(chunks, (spec.form.dims()[axis] - 1) / spec.chunk[axis] + 1);
  chunks = checked_multiply(chunks, spec.leading_count());
  if (chunks > most_output_chunks)
    throw WordsError(
        fmt::format("output.chunk {} makes {} chunks, and {} are written at most: "
                    "chunks of about 1 MiB serve best",
                    fmt::join(spec.chunk, "x"), chunks, most_output_chunks));
  if (bytes > largest_chunk)
    throw WordsError(fmt::format(
        "output.chunk {} is {} bytes, above HDF5's limit of {}: chunks of about 1 MiB serve best",
        fmt::join(spec.chunk, "x"), bytes, largest_chunk));
}

void check_missing_value(const OutputSpec& spec) {
  if (!spec.missing_value) return;
  visit_element(spec.type, [&](auto example) {
    using Element = decltype(example);
    if (!spec.missing_value->holds<Element>())
      throw WordsError(
          fmt::format("the missing value {} is no {}: choose one that output.dtype can hold, or a "
                      "floating type",
                      to_string(*spec.missing_value), to_string(spec.type)));
  });
}

/// For what rank 0 has found or made already.
std::string remedy_on_ranks(int error) {
  return error == ENOENT ? "choose a folder that all nodes share" : remedy_of(error);
}

[[noreturn]] void refuse_part(const OutputPaths& paths) {
  throw StorageError(
      fmt::format("{} is in the way of the unfinished output, and is none of this program: remove "
                  "it, or choose another output.file",
                  one_line(paths.part)));
}

}  // namespace

OutputPaths OutputPaths::of(const std::string& file) {
  if (file.empty()) throw WordsError("output.file is empty: name the file to write");
  const fs::path path = resolved(fs::absolute(file));
  return {path.string(), path.string() + ".part", path.string() + ".lock",
          path.parent_path().string()};
}

void check_folder(const OutputSpec& spec, const OutputPaths& paths) {
  struct stat folder {};
  if (::stat(paths.folder.c_str(), &folder) != 0) {
    const int error = errno;
    throw StorageError(fmt::format("cannot write {}: its folder {}: {}: {}", one_line(spec.file),
                                   one_line(paths.folder), std::strerror(error),
                                   error == ENOENT ? "create it first" : remedy_of(error)));
  }
  if (!S_ISDIR(folder.st_mode))
    throw StorageError(fmt::format("cannot write {}: {} is not a folder", one_line(spec.file),
                                   one_line(paths.folder)));
  if (::access(paths.folder.c_str(), W_OK | X_OK) != 0)
    throw StorageError(fmt::format("cannot write {}: its folder {}: {}: {}", one_line(spec.file),
                                   one_line(paths.folder), std::strerror(errno), remedy_of(errno)));
  struct stat existing {};
  if (::lstat(paths.final.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode))
    throw StorageError(fmt::format("cannot write {}: it is {}: choose another name",
                                   one_line(spec.file),
                                   S_ISDIR(existing.st_mode)   ? "a folder"
                                   : S_ISLNK(existing.st_mode) ? "a link that leads to itself"
                                                               : "no regular file"));
}

void check_output(const OutputSpec& spec, const OutputPaths& paths) {
  for (const fs::path& name : fs::path(spec.dataset))
    if (name == "." || name == "..")
      throw WordsError(
          fmt::format("output.dataset `{}` has `{}` in it, which HDF5 does not follow: use a path "
                      "such as /group/data",
                      one_line(spec.dataset), name.string()));
  if (split_path(spec.dataset).empty() || spec.dataset.ends_with('/'))
    throw WordsError(fmt::format("output.dataset `{}` names no dataset: use a path such as /data",
                                 one_line(spec.dataset)));
  if (spec.form.dims().empty()) throw WordsError("the output has no axes: nothing to write");
  check_chunk(spec);
  check_missing_value(spec);
  check_folder(spec, paths);
  check_others_are_safe(spec, paths);
}

void require_own_part(const OutputPaths& paths) {
  struct stat state {};
  if (::lstat(paths.lock.c_str(), &state) == 0) return;
  const OwnMark mark = own_mark(AT_FDCWD, paths.part);
  if (mark == OwnMark::foreign || mark == OwnMark::finished) refuse_part(paths);
}

void check_not_read(const OutputSpec& spec, const OutputPaths& paths) {
  for (const std::string* name : {&paths.final, &paths.part, &paths.lock})
    if (const auto other = file_in_use(*name))
      throw WordsError(
          fmt::format("output.file {} would overwrite {}, which an InputDataset reads: choose "
                      "another name, or end the reading before",
                      one_line(spec.file), one_line(*other)));
}

void check_absent(const OutputSpec& spec, const OutputPaths& paths) {
  struct stat existing {};
  std::vector<std::string> names{""};
  if (spec.snapshots) names.emplace_back(".xdmf");
  for (const std::string& more : names)
    if (!spec.overwrite && ::lstat((paths.final + more).c_str(), &existing) == 0)
      throw StorageError(fmt::format(
          "{}{} exists already: set output.overwrite = true, or choose another output.file",
          one_line(spec.file), more));
  if (spec.snapshots && is_foreign_companion(AT_FDCWD, paths.final + ".xdmf"))
    throw StorageError(
        fmt::format("{}.xdmf is in the way of the companion of this output, and was not written by "
                    "this program: remove it, or choose another output.file",
                    one_line(spec.file)));
}

void check_free_space(const OutputPaths& paths, Index needed) {
  struct statvfs system {};
  if (::statvfs(paths.folder.c_str(), &system) != 0) return;  // a full disk fails while reserving
  double available = static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize);
  constexpr double block = 512;  // of st_blocks
  struct stat left {};
  if (::lstat(paths.part.c_str(), &left) == 0 && S_ISREG(left.st_mode))
    available += block * static_cast<double>(left.st_blocks);
  if (static_cast<double>(needed) > available)
    throw StorageError(
        fmt::format("{} needs {} bytes but only {:.0f} are available in {}: free some, or choose "
                    "another folder",
                    one_line(paths.final), needed, available, one_line(paths.folder)));
}

std::string room_in(const std::string& folder) {
  struct statvfs system {};
  if (::statvfs(folder.c_str(), &system) != 0) return "free some, or choose another folder";
  return fmt::format(
      "{} bytes are available in {}: free some, raise the quota, or choose another "
      "folder",
      static_cast<std::uint64_t>(system.f_bavail) * system.f_frsize, one_line(folder));
}

void throw_unwritable(const std::string& what, int error, const std::string& output) {
  const bool is_full = error == ENOSPC || error == EDQUOT;
  throw StorageError(
      fmt::format("{}: {}: {}", what, std::strerror(error),
                  is_full ? room_in(fs::path(output).parent_path().string()) : remedy_of(error)));
}

void with_room(const std::string& output, const std::function<void()>& work) {
  try {
    work();
  } catch (const StorageError& error) {
    const std::string message = error.what();
    if (message.ends_with(std::strerror(EFBIG)))
      throw StorageError(fmt::format("{}: {}", message, remedy_of(EFBIG)));
    for (const int full : {ENOSPC, EDQUOT})
      if (message.ends_with(std::strerror(full)))
        throw StorageError(
            fmt::format("{}: {}", message, room_in(fs::path(output).parent_path().string())));
    throw;
  }
}

Descriptor open_folder(const OutputPaths& paths) {
  constexpr int flags = O_DIRECTORY | O_CLOEXEC;
  Descriptor folder(::open(paths.folder.c_str(), O_RDONLY | flags));
  if (!folder && errno == EACCES)  // a folder without read permission may still be writable
    folder = Descriptor(::open(paths.folder.c_str(), O_PATH | flags));
  if (!folder)
    throw StorageError(fmt::format("cannot open {}, the folder of the output: {}: {}",
                                   one_line(paths.folder), std::strerror(errno),
                                   remedy_on_ranks(errno)));
  return folder;
}

Descriptor create_part(int folder, const OutputPaths& paths) {
  const std::string name = paths.part_name();
  const OwnMark mark = own_mark(folder, name);
  if (mark == OwnMark::unfinished) ::unlinkat(folder, name.c_str(), 0);  // this run has the lock
  if (mark == OwnMark::foreign || mark == OwnMark::finished) refuse_part(paths);
  struct stat old {};
  const bool is_new = ::fstatat(folder, paths.final_name().c_str(), &old, 0) != 0;
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  Descriptor file(::openat(folder, name.c_str(), flags, is_new ? 0666 : 0600));
  if (!file)
    throw StorageError(fmt::format("cannot create {}: {}: {}", one_line(paths.part),
                                   std::strerror(errno), remedy_of(errno)));
  return file;
}

Descriptor open_part(int folder, const OutputPaths& paths, int rank, int flags) {
  Descriptor file(::openat(folder, paths.part_name().c_str(), flags | O_NOFOLLOW | O_CLOEXEC));
  if (file) return file;
  const int error = errno;
  throw StorageError(fmt::format("{} cannot open {}: {}: {}", name_of_rank(rank),
                                 one_line(paths.part), std::strerror(error),
                                 remedy_on_ranks(error)));
}

void keep_access(int file, int folder, const OutputPaths& paths) {
  struct stat old {
  }, own{};
  if (::fstatat(folder, paths.final_name().c_str(), &old, 0) != 0 || ::fstat(file, &own) != 0)
    return;
  const bool is_kept = old.st_uid == own.st_uid && old.st_gid == own.st_gid;
  if (!is_kept && ::fchown(file, old.st_uid, old.st_gid) != 0 && old.st_gid != own.st_gid &&
      ::fchown(file, uid_t(-1), old.st_gid) != 0)
    old.st_mode &= ~mode_t{S_IRWXG};
  ::fchmod(file, old.st_mode & 0777);
}

void reserve_blocks(int file, const std::string& name) {
  struct stat state {};
  int error = ::fstat(file, &state) != 0 ? errno : 0;
  if (error == 0) do {
      error = ::posix_fallocate(file, 0, state.st_size);
    } while (error == EINTR);
  if (error != 0)
    throw_unwritable(fmt::format("cannot reserve {} bytes for {}", state.st_size, one_line(name)),
                     error, name);
}

void bring_to_disk(int file, const std::string& name) {
  int error = 0;
  do {
    error = ::fsync(file) == 0 ? 0 : errno;
  } while (error == EINTR);
  if (error != 0)
    throw_unwritable(fmt::format("cannot bring {} to the disk", one_line(name)), error, name);
}

void bring_names_to_disk(int folder, const std::string& name) {
  int error = 0;
  do {
    error = ::fsync(folder) == 0 ? 0 : errno;
  } while (error == EINTR);
  // some file systems cannot sync a folder, and a folder without read permission is open with
  // O_PATH only
  const bool is_unable = error == EINVAL || error == ENOTSUP || error == EBADF;
  if (error != 0 && !is_unable)
    throw StorageError(fmt::format(
        "{} is complete, but the name could not be brought to the disk: {}: look whether "
        "it is there before you use it",
        one_line(name), std::strerror(error)));
}

void check_room(const OutputSpec& spec, const OutputPaths& paths) {
  const Index bytes =
      checked_multiply(points_of(spec.dims()), static_cast<Index>(size_of(spec.type)));
  if (spec.gzip_level == 0) check_free_space(paths, bytes);
}

}  // namespace stencil::storage
